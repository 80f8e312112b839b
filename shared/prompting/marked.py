"""A text with its entities, as markdown: what is code, where a link leads, and whose words are quoted."""

from collections.abc import Iterator, Mapping, Sequence

from shared.models.text import Entity, EntityType

#: an entity of one of these types stands between two of these signs
_AROUND: Mapping[str, str] = {EntityType.BOLD: "**", EntityType.CODE: "`"}
_LINE_END = b"\n\0"
_QUOTES = frozenset({EntityType.BLOCKQUOTE, EntityType.EXPANDABLE_BLOCKQUOTE})


def marked(text: str, entities: Sequence[Entity]) -> str:
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


def _signs(units: bytes, entity: Entity, place: int) -> Iterator[tuple[int, int, str]]:
    """What to put where, in bytes; ends come before begins, and what began last ends first."""
    begin, end = entity.in_utf16.start, entity.in_utf16.stop
    if not begin < end <= len(units) or any(_is_within(units, at) for at in (begin, end)):
        return
    if entity.type in _QUOTES:
        yield from ((at, place, "> ") for at in _lines(units, begin, end))
        if units[end : end + 2] == _LINE_END and units[end + 2 : end + 4] != _LINE_END:
            yield (end, -place - 1, "\n")  # or what follows would be quoted, too
    elif entity.type == EntityType.TEXT_LINK:
        yield (begin, place, "[")
        yield (end, -place - 1, f"]({entity.url})")
    elif entity.type == EntityType.PRE:
        yield (begin, place, f"{_break(units, begin - 2)}```{entity.language}\n")
        yield (end, -place - 1, f"\n```{_break(units, end)}")
    elif entity.type in _AROUND:
        yield (begin, place, _AROUND[entity.type])
        yield (end, -place - 1, _AROUND[entity.type])


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
