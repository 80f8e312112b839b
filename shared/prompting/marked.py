"""A text with its entities, as markdown: what is code, where a link leads, and whose words are quoted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

#: an entity of one of these types stands between these signs (core.telegram.org/bots/api#messageentity)
_AROUND: Mapping[str, tuple[str, str]] = {"bold": ("**", "**"), "code": ("`", "`")}
_LINE_END = b"\n\0"
_QUOTES = frozenset({"blockquote", "expandable_blockquote"})


def marked(text: str, entities: Sequence[Mapping[str, Any]]) -> str:
    """The text as markdown, of the entities that change what it means; the others (an underline) are left out."""
    if not entities:
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    signs = sorted(sign for place, entity in enumerate(entities) for sign in _signs(units, entity, place))
    told, done = [], 0
    for at, _, sign in signs:
        told += [units[done:at].decode("utf-16-le", "surrogatepass"), sign]
        done = at
    told.append(units[done:].decode("utf-16-le", "surrogatepass"))
    return "".join(told)


def _signs(units: bytes, entity: Mapping[str, Any], place: int) -> Iterator[tuple[int, int, str]]:
    """What to put where, in bytes; ends come before begins, and what began last ends first."""
    begin, end = _bytes(entity.get("offset")), _bytes(entity.get("offset")) + _bytes(entity.get("length"))
    if not 0 <= begin < end <= len(units) or any(_is_within(units, at) for at in (begin, end)):
        return
    kind = str(entity.get("type"))
    if kind in _QUOTES:
        yield from ((at, place, "> ") for at in _lines(units, begin, end))
        if units[end : end + 2] == _LINE_END and units[end + 2 : end + 4] != _LINE_END:
            yield (end, -place - 1, "\n")  # or what follows would be quoted, too
    elif kind == "text_link":
        yield (begin, place, "[")
        yield (end, -place - 1, f"]({entity.get('url', '')})")
    elif kind == "pre":
        yield (begin, place, f"{_break(units, begin - 2)}```{entity.get('language') or ''}\n")
        yield (end, -place - 1, f"\n```{_break(units, end)}")
    elif kind in _AROUND:
        yield (begin, place, _AROUND[kind][0])
        yield (end, -place - 1, _AROUND[kind][1])


def _bytes(units: Any) -> int:
    """The place in UTF-16 of an offset, which counts its units; negative for what is none."""
    return 2 * units if isinstance(units, int) else -1


def _is_within(units: bytes, at: int) -> bool:
    """Whether a place is in the middle of a character, before its low surrogate."""
    return at < len(units) and 0xDC <= units[at + 1] <= 0xDF


def _lines(units: bytes, begin: int, end: int) -> Iterator[int]:
    """Where the lines of a stretch begin."""
    yield begin
    yield from (at + 2 for at in range(begin, end - 2, 2) if units[at : at + 2] == _LINE_END)


def _break(units: bytes, at: int) -> str:
    """A line's end, unless one is there or the text ends there."""
    return "" if not 0 <= at < len(units) or units[at : at + 2] == _LINE_END else "\n"
