"""Escaping: people's texts and names stay readable, but cannot be mistaken for text that lull writes."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from shared.base.text import Entity, EntityType, abridge
from shared.planning.format.markdown_text import escape_headings

#: words that begin lull's own brackets, and `inst`: older models read `[inst]` as the start of a user's turn
RESERVED = (
    *("meta", "respond", "event", "earlier", "memory", "summary", "recalled", "cut", "inst"),
    *("now", "media", "quoting", "edited", "reactions", "attached"),
)

#: every character that readers take for an opening bracket (NFKC)
_BRACKETS = ("[", "\ufe47", "\uff3b")
_BRACKET = re.compile(f"[{re.escape(''.join(_BRACKETS))}]")
#: tokens with which chat templates begin or end a turn: `<|im_start|>`, `<turn|>`, `</s>`
_CONTROL_TOKEN = re.compile(
    r"<(?=[|｜][^<>‹\s]{1,40}>|[^<>‹\s|｜]{1,40}[|｜]>|/?(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn)>|<?/?SYS>)",
    re.IGNORECASE,
)
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_HEADER_SIGNS = re.compile(r"[\[\]<>|#:→=\"＃：［］＝＜＞｜﹇﹈﹕﹟]")
#: letters that look like the Latin letters of the reserved words (Unicode's confusables)
_LOOKS_LIKE = str.maketrans(
    "аеёмтосрѕуіһӏԁгпαεμνηιορτυγᴀᴄᴅᴇɪʟᴍɴᴏᴘʀꜱᴛᴜᴠʏ",
    "aeemtocpsyihldrnaemvnioptuyacdeilmnoprstuvy",
)
#: invisible characters that Unicode classifies as letters or symbols: fillers of Hangul, and braille without a dot
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
LONGEST_NAME = 64


def escape(text: str) -> str:
    """Return the text without control characters; lull's markers, headings and template marks are made harmless."""
    if not text.isprintable():
        text = _CONTROL_CHARACTERS.sub("", "\n".join(text.splitlines()))
    text = without_markers(without_control_tokens(text))
    return escape_headings(text) if "«" in text or "<<" in text else text


def without_markers(text: str) -> str:
    """Return the text with lull's markers made harmless. Cutting may create them: `[now` from `[nowhere]`."""
    if not any(bracket in text for bracket in _BRACKETS):
        return text
    return _BRACKET.sub(lambda bracket: "(" if _opens_marker(text, bracket.end()) else bracket[0], text)


def without_control_tokens(text: str) -> str:
    """Return the text without the tokens with which chat templates begin or end a turn.

    This is applied to the agent's own texts too, since somebody may ask the agent to repeat such a token.
    """
    return _CONTROL_TOKEN.sub("‹", text) if "<" in text else text


def one_line(text: str) -> str:
    return " ".join(escape(text).split())


def in_brackets(text: str) -> str:
    """Return the escaped text for use inside brackets: on one line, and without brackets in it."""
    return one_line(text).translate({ord("["): "(", ord("]"): ")"})


def excerpt_of(text: str, most: int) -> str:
    """Return the start of a text for use inside brackets, with an ellipsis if it is cut."""
    return abridge(in_brackets(text), most)


def quote_text(text: str, longest: int) -> str:
    """Return the escaped text as a JSON string on one line, cut to `longest` characters."""
    return json.dumps(without_markers(abridge(one_line(text), longest)), ensure_ascii=False)


@lru_cache(maxsize=4096)
def clean_name(name: str) -> str:
    """Return a name on one line, without the characters that have a meaning in a header."""
    seen = (
        " " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in name if unicodedata.category(c) != "Cf"
    )
    return " ".join(_HEADER_SIGNS.sub(" ", "".join(seen)).split())[:LONGEST_NAME].rstrip() or "someone"


@lru_cache(maxsize=4096)
def look_alike_key(name: str) -> str:
    """Return a name reduced to the letters and digits that readers see. Names that look alike have the same key."""
    return "".join(map(_letters, name)) or name


def _opens_marker(text: str, start: int) -> bool:
    """Return whether readers see a reserved word after the bracket at `start`, even behind spaces and slashes."""
    word = ""
    for c in (text[at] for at in range(start, len(text))):
        letters = _letters(c)
        if word in RESERVED and (letters or c.isspace() or not _is_unseen(c)):
            return not (letters or c == "_")
        word += letters
        if not letters and c not in "/\\" and not _is_unseen(c):
            return False
        if not any(reserved.startswith(word) for reserved in RESERVED):
            return False
    return word in RESERVED


@lru_cache(maxsize=4096)
def _letters(c: str) -> str:
    """Return the plain lower-case letters and digits that a character looks like; empty for other characters."""
    plain = "".join(part for part in unicodedata.normalize("NFKD", c) if part.isalnum() and part not in _BLANK)
    return plain.casefold().translate(_LOOKS_LIKE)


def _is_unseen(c: str) -> bool:
    """Return whether a character is invisible, or only a mark on the character before it."""
    return c.isspace() or c in _BLANK or unicodedata.category(c) in {"Cf", "Cc", "Mn", "Me"}


#: for each type of entity, the markdown syntax before and after its text
_AROUND: Mapping[str, str] = {
    EntityType.BOLD: "**", EntityType.CODE: "`", EntityType.STRIKETHROUGH: "~~",
    EntityType.SPOILER: "||",
}  # fmt: skip
_LINE_END = b"\n\0"
_QUOTES = frozenset({EntityType.BLOCKQUOTE, EntityType.EXPANDABLE_BLOCKQUOTE})


def to_markdown(text: str, entities: Sequence[Entity]) -> str:
    """Return the text as markdown. Entities that change its meaning become markdown syntax; underlines are left out."""
    if not entities:
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    signs = sorted(sign for place, entity in enumerate(entities) for sign in _signs(units, entity, place))
    pieces, done = [], 0
    for at, _, sign in signs:
        pieces += [units[done:at].decode("utf-16-le", "surrogatepass"), sign]
        done = at
    pieces.append(units[done:].decode("utf-16-le", "surrogatepass"))
    return "".join(pieces)


def _signs(units: bytes, entity: Entity, place: int) -> Iterator[tuple[int, int, str]]:
    """Yield an entity's markdown syntax, each piece with its position in UTF-16 bytes and its rank at that position."""
    begin, end = entity.in_utf16.start, entity.in_utf16.stop
    if not begin < end <= len(units) or any(_is_within(units, at) for at in (begin, end)):
        return
    if entity.type in _QUOTES:
        yield from ((at, place, "> ") for at in _lines(units, begin, end))
        if units[end : end + 2] == _LINE_END and units[end + 2 : end + 4] != _LINE_END:
            yield (end, -place - 1, "\n")  # without a blank line, the quote would include the following text
    elif entity.type == EntityType.TEXT_LINK:
        yield (begin, place, "[")
        yield (end, -place - 1, f"]({entity.url})")
    elif entity.type == EntityType.PRE:
        yield (begin, place, f"{_line_end_if_needed(units, begin - 2)}```{entity.language}\n")
        yield (end, -place - 1, f"\n```{_line_end_if_needed(units, end)}")
    elif entity.type in _AROUND:
        yield (begin, place, _AROUND[entity.type])
        yield (end, -place - 1, _AROUND[entity.type])


def _is_within(units: bytes, at: int) -> bool:
    """Return whether a position is inside a surrogate pair."""
    return at < len(units) and 0xDC <= units[at + 1] <= 0xDF


def _lines(units: bytes, begin: int, end: int) -> Iterator[int]:
    """Yield the positions at which the lines from `begin` to `end` start."""
    yield begin
    yield from (at + 2 for at in range(begin, end - 2, 2) if units[at : at + 2] == _LINE_END)


def _line_end_if_needed(units: bytes, at: int) -> str:
    """Return a line end; empty if there is one at this position, or if the text ends here."""
    return "" if not 0 <= at < len(units) or units[at : at + 2] == _LINE_END else "\n"
