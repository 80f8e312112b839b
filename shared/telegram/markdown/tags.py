"""HTML tags in pairs, as models write them: they become markdown or, without an equivalent, held text (`held.py`).

A single tag (`<b>`), a mention of tags (`<b> and </b>`) and an unknown tag (`<your name>`) stay as written.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from html import unescape
from typing import Final

from shared.base.text import EntityType
from shared.telegram.markdown.held import hold, put_back, release, set_aside
from shared.telegram.markdown.signs import subscript, superscript

TAG: Final = re.compile(
    r"(?<!\\)<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]*)"
    r"(?P<attributes>(?:\s+[a-zA-Z_:-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'|[^\s\"'=<>`]+)|\s+(?:expandable|open))*)\s*/?>"
)
_ATTRIBUTE: Final = re.compile(r"([a-zA-Z_:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
#: block tags, for paragraphs and larger parts; such a tag counts only where a block can begin
PARTS: Final = frozenset(
    {"p", "div", "ul", "ol", "li", "blockquote", "details", "summary", "table", "thead", "tbody", "tr", "td", "th"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "section", "article"}
)
_LARGE: Final = PARTS | {"br", "hr", "pre"}
#: tags that group the rows of a table
_ROWS: Final = ("thead", "tbody")
#: tags without a closing tag
EMPTY: Final = frozenset({"br", "hr", "img"})


@dataclass
class TagNode:
    """An element (a pair of tags with its content), or the whole text. `parts` has its texts and elements in order."""

    name: str
    opening: str
    closing: str = ""
    parts: list["str | TagNode"] = field(default_factory=list)

    @property
    def source(self) -> str:
        """The pair of tags with its content, as it was written."""
        return f"{self.opening}{self.inside}{self.closing}"

    @property
    def inside(self) -> str:
        """The content between the tags, as it was written."""
        return "".join(part if isinstance(part, str) else part.source for part in self.parts)

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes of the opening tag, by their names in lower case."""
        return {
            found[1].lower(): unescape(found[2] or found[3] or found[4] or "")
            for found in _ATTRIBUTE.finditer(put_back(self.opening))
        }

    def holds_only(self, *names: str) -> bool:
        """Return whether the content consists only of elements with these names, apart from white space."""
        some = [part for part in self.parts if not isinstance(part, str) or part.strip()]
        return bool(some) and all(
            isinstance(one, TagNode) and (one.name in names or (one.name in _ROWS and one.holds_only(*names)))
            for one in some
        )

    def children(self, *names: str) -> "Iterator[TagNode]":
        """Yield the child elements with these names. Children of a `thead` or `tbody` count as the table's own."""
        for part in self.parts:
            if isinstance(part, TagNode):
                yield from part.children(*names) if part.name in _ROWS else (part,) * (part.name in names)


def pairs_in(text: str, known: Set[str]) -> TagNode:
    """Return the text as a tree of tag pairs. A tag without a partner is part of the text."""
    opened, at = [TagNode("", "")], 0
    for found in TAG.finditer(text):
        name = found["name"].lower()
        if name not in known or (name in PARTS and not found["end"] and not _begins(text, at, found.start(), opened)):
            continue
        if found["end"] and not any(part.name == name for part in opened):
            continue
        opened[-1].parts.append(text[at : found.start()])
        at = found.end()
        if name in EMPTY:
            opened[-1].parts.append(TagNode(name, found[0]))
        elif not found["end"]:
            opened.append(TagNode(name, found[0]))
        else:
            while opened[-1].name != name:
                _unpair(opened)
            opened[-1].closing = found[0]
            closed = opened.pop()
            opened[-1].parts.append(closed)
    opened[-1].parts.append(text[at:])
    while len(opened) > 1:
        _unpair(opened)
    return opened[0]


def _unpair(opened: list[TagNode]) -> None:
    """Turn the tag that was opened last, and has no partner, into text."""
    alone = opened.pop()
    opened[-1].parts += [alone.opening, *alone.parts]


def _begins(text: str, done: int, at: int, opened: Sequence[TagNode]) -> bool:
    """Return whether a block tag is at the start of its line, inside another block, or directly after a block."""
    line, before = text[text.rfind("\n", 0, at) + 1 : at], opened[-1].parts[-1:]
    is_behind = any(isinstance(one, TagNode) and one.name in _LARGE for one in before) and not text[done:at].strip()
    is_within = any(part.name in PARTS for part in opened)
    return is_within or is_behind or not re.sub(r"^[\s>]*(?:[-*+]\s)?", "", line)


#: for each tag, the style of the words between its tags
LOOKS: Final[Mapping[str, EntityType]] = {
    "b": EntityType.BOLD, "strong": EntityType.BOLD, "mark": EntityType.BOLD, "summary": EntityType.BOLD,
    "i": EntityType.ITALIC, "em": EntityType.ITALIC, "cite": EntityType.ITALIC, "u": EntityType.UNDERLINE,
    "ins": EntityType.UNDERLINE, "s": EntityType.STRIKETHROUGH, "del": EntityType.STRIKETHROUGH,
    "strike": EntityType.STRIKETHROUGH, "tg-spoiler": EntityType.SPOILER,
}  # fmt: skip
_CODE: Final = frozenset({"code", "kbd", "tt", "samp"})
#: tags that only group words
_GROUPS: Final = frozenset({"span", "font", "small", "big", "center", "tg-emoji"})
_KNOWN: Final = frozenset({*LOOKS, *_CODE, *EMPTY, *_GROUPS, *PARTS, "a", "sub", "sup", "pre"})
#: placeholders for the ends of paragraphs and of lines, which are replaced once all parts are joined
_PARAGRAPH, _LINE = "\U00100003", "\U00100004"
_ENDS: Final = re.compile(f"[ \t\n]*[{_PARAGRAPH}{_LINE}][ \t\n{_PARAGRAPH}{_LINE}]*")


def with_tags(text: str) -> str:
    """Replace the tag pairs in a text by markdown."""
    if "<" not in text or not any(found["name"].lower() in _KNOWN for found in TAG.finditer(text)):
        return text
    return _resolve_line_ends(_shown_parts(pairs_in(text, _KNOWN)))


def look_of(tag: str) -> tuple[EntityType | None, bool]:
    """Return the style of an encoded tag (None if it has none), and whether the tag opens the style."""
    found = TAG.match(tag)
    return (LOOKS.get(found["name"].lower()), not found["end"]) if found else (None, False)


def code_of(tags: str) -> tuple[str, str, bool] | None:
    """Return the code between encoded tags, its language, and whether it is a block; None if they do not mark code."""
    found = re.fullmatch(r"<(pre|code|kbd|tt|samp)\b[^>]*>(.*)</\1\s*>", tags, re.DOTALL | re.IGNORECASE)
    if found is None:
        return None
    inner = re.fullmatch(r"\s*<code\b([^>]*)>(.*)</code\s*>\s*", found[2], re.DOTALL | re.IGNORECASE)
    language = re.search(
        r"lang(?:uage-|=[\"']?)([\w+#-]+)", tags[: tags.find(">", 5) + 1] + (inner[1] if inner else "")
    )
    code = unescape(inner[2] if inner else found[2])
    is_block = found[1].lower() == "pre"
    return (code.strip("\n") if is_block else " ".join(code.split())), (language[1] if language else ""), is_block


def _shown_parts(part: TagNode) -> str:
    return "".join(one if isinstance(one, str) else _markdown_of(one) for one in part.parts)


def _markdown_of(part: TagNode) -> str:
    """Return a pair of tags as markdown; if the tags are only mentioned, the tags stay."""
    if part.name not in EMPTY and (not part.inside.strip() or _is_mention(part)):
        return part.opening + _shown_parts(part) + part.closing
    if part.name in LOOKS and part.name != "summary":
        return f"{hold(part.opening)}{_shown_parts(part)}{hold(part.closing)}"
    if part.name in _CODE:
        return hold(part.source)
    if part.name in _GROUPS:
        return _group(part)
    return _MARKDOWN[part.name](part)


def _is_mention(part: TagNode) -> bool:
    """Return whether the tags are mentioned as words of a sentence: `write <b> and </b>`."""
    inside = part.inside
    return part.name not in PARTS and inside[0].isspace() and inside[-1].isspace() and "\n" not in inside


def _group(part: TagNode) -> str:
    if "spoiler" in part.attributes.get("class", ""):
        return f"{hold('<tg-spoiler>')}{_shown_parts(part)}{hold('</tg-spoiler>')}"
    return _shown_parts(part)


def _link(part: TagNode) -> str:
    address, words = part.attributes.get("href", ""), _shown_parts(part).strip()
    if not address:
        return words
    escaped = re.sub(r"[<>\s]", lambda found: f"%{ord(found[0]):02X}", address)
    named = re.sub(r"(?=[][])", lambda _: chr(92), words)
    return f"[{named}]({set_aside(f'<{escaped}>')})"


def _above(part: TagNode) -> str:
    above = release(_shown_parts(part))
    return above if above.startswith("[") else superscript(above)


def _picture(part: TagNode) -> str:
    told = part.attributes
    address = told.get("src", "")
    return f"![{told.get('alt', '')}]({set_aside(f'<{address}>')})" if address.startswith("http") else part.opening


def _paragraph(part: TagNode) -> str:
    return f"{_PARAGRAPH}{_shown_parts(part)}{_PARAGRAPH}"


def _heading(part: TagNode) -> str:
    return f"{_PARAGRAPH}{'#' * int(part.name[1])} {' '.join(_shown_parts(part).split())}{_PARAGRAPH}"


def _quote(part: TagNode) -> str:
    lines = _resolve_line_ends(_shown_parts(part).strip()).split("\n")
    return f"{_PARAGRAPH}{_LINE.join(f'> {line.strip()}' for line in lines)}{_PARAGRAPH}"


def _items(part: TagNode) -> str:
    if not part.holds_only("li"):
        return part.opening + _shown_parts(part) + part.closing
    start = int(number) if (number := part.attributes.get("start", "1")).isdecimal() else 1
    marks = (f"{start + count}." if part.name == "ol" else "-" for count in range(len(part.parts)))
    items = (_item(mark, item) for mark, item in zip(marks, part.children("li"), strict=False))
    return f"{_LINE}{_LINE.join(items)}{_LINE}"


def _item(mark: str, item: TagNode) -> str:
    first, *more = _resolve_line_ends(_shown_parts(item).strip()).split("\n")
    indent = " " * (len(mark) + 1)
    return "\n".join([f"{mark} {first.strip()}", *(f"{indent}{line}" if line else "" for line in more)])


def _summary(part: TagNode) -> str:
    return f"{_PARAGRAPH}{hold('<b>')}{_shown_parts(part).strip()}{hold('</b>')}{_LINE}"


def _table(part: TagNode) -> str:
    if not part.holds_only("tr") or not all(row.holds_only("td", "th") for row in part.children("tr")):
        return part.opening + _shown_parts(part) + part.closing
    rows = [[_cell(cell) for cell in row.children("td", "th")] for row in part.children("tr")]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return _PARAGRAPH + _LINE.join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]) + _PARAGRAPH


def _cell(cell: TagNode) -> str:
    return " ".join(_resolve_line_ends(_shown_parts(cell)).split()).replace("|", "\\|")


def _resolve_line_ends(markdown: str) -> str:
    """Replace the placeholders for line ends, so that at most one blank line separates two parts."""
    if _PARAGRAPH not in markdown and _LINE not in markdown:
        return markdown

    def settle(found: re.Match[str]) -> str:
        if found.start() == 0 or found.end() == len(markdown):
            return ""
        return "\n\n" if _PARAGRAPH in found[0] or "\n\n" in found[0] else "\n"

    return _ENDS.sub(settle, markdown)


_MARKDOWN: Final[Mapping[str, Callable[[TagNode], str]]] = {
    "a": _link,
    "sub": lambda part: subscript(release(_shown_parts(part))),
    "sup": _above,
    "br": lambda _: hold("<br>"),
    "hr": lambda _: f"{_LINE}***{_LINE}",
    "img": _picture,
    "pre": lambda part: f"{_LINE}{hold(part.source)}{_LINE}",
    "ul": _items,
    "ol": _items,
    "blockquote": _quote,
    "table": _table,
    "summary": _summary,
    **dict.fromkeys(
        ("p", "div", "section", "article", "details", "li", "tr", "td", "th", "thead", "tbody"), _paragraph
    ),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
}
