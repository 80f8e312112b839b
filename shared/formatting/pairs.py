"""Tags of HTML in a text, in pairs: which belong together, and what has no partner."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from html import unescape
from typing import Final

from shared.formatting.held import put_back

TAG: Final = re.compile(
    r"(?<!\\)<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]*)"
    r"(?P<attributes>(?:\s+[a-zA-Z_:-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'|[^\s\"'=<>`]+)|\s+(?:expandable|open))*)\s*/?>"
)
_ATTRIBUTE: Final = re.compile(r"([a-zA-Z_:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
#: tags of paragraphs and larger parts: they are meant where a line begins with them
PARTS: Final = frozenset(
    {"p", "div", "ul", "ol", "li", "blockquote", "details", "summary", "table", "thead", "tbody", "tr", "td", "th"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "section", "article"}
)
_LARGE: Final = PARTS | {"br", "hr", "pre"}
#: groups of a table's rows
_ROWS: Final = ("thead", "tbody")
#: tags that have no partner
EMPTY: Final = frozenset({"br", "hr", "img"})


@dataclass
class Part:
    """A pair of tags, or the whole text; `parts` has texts and pairs by turns."""

    name: str
    opening: str
    closing: str = ""
    parts: list["str | Part"] = field(default_factory=list)

    @property
    def source(self) -> str:
        """How it was written."""
        return f"{self.opening}{self.inside}{self.closing}"

    @property
    def inside(self) -> str:
        """How what stands between its tags was written."""
        return "".join(part if isinstance(part, str) else part.source for part in self.parts)

    @property
    def attributes(self) -> dict[str, str]:
        """What its first tag says, by names in small letters."""
        return {
            found[1].lower(): unescape(found[2] or found[3] or found[4] or "")
            for found in _ATTRIBUTE.finditer(put_back(self.opening))
        }

    def holds_only(self, *names: str) -> bool:
        """Whether it has such pairs, and nothing besides them but space."""
        some = [part for part in self.parts if not isinstance(part, str) or part.strip()]
        return bool(some) and all(
            isinstance(one, Part) and (one.name in names or (one.name in _ROWS and one.holds_only(*names)))
            for one in some
        )

    def children(self, *names: str) -> "Iterator[Part]":
        """The pairs right inside it, or in groups of rows there, that have one of some names."""
        for part in self.parts:
            if isinstance(part, Part):
                yield from part.children(*names) if part.name in _ROWS else (part,) * (part.name in names)


def pairs_in(text: str, known: Set[str]) -> Part:
    """The text as pairs of tags within each other; what has no partner is text."""
    opened, at = [Part("", "")], 0
    for found in TAG.finditer(text):
        name = found["name"].lower()
        if name not in known or (name in PARTS and not found["end"] and not _begins(text, at, found.start(), opened)):
            continue
        if found["end"] and not any(part.name == name for part in opened):
            continue
        opened[-1].parts.append(text[at : found.start()])
        at = found.end()
        if name in EMPTY:
            opened[-1].parts.append(Part(name, found[0]))
        elif not found["end"]:
            opened.append(Part(name, found[0]))
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


def _unpair(opened: list[Part]) -> None:
    """Make text of the tag that was opened last."""
    alone = opened.pop()
    opened[-1].parts += [alone.opening, *alone.parts]


def _begins(text: str, done: int, at: int, opened: Sequence[Part]) -> bool:
    """Whether a tag of a larger part is the first thing of its line, or stands within or right behind such a part."""
    line, before = text[text.rfind("\n", 0, at) + 1 : at], opened[-1].parts[-1:]
    is_behind = any(isinstance(one, Part) and one.name in _LARGE for one in before) and not text[done:at].strip()
    is_within = any(part.name in PARTS for part in opened)
    return is_within or is_behind or not re.sub(r"^[\s>]*(?:[-*+]\s)?", "", line)
