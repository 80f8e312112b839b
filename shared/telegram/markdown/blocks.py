"""Building blocks for rendering: a text that grows with its entities, the numbers of lists, and tables as text."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from itertools import zip_longest
from typing import Any

from shared.base.text import Entity, EntityType, FormattedText, utf16_length
from shared.telegram.markdown.source import Event

#: the line below a table's header
_RULE = re.compile(r"-+(?:-\+-+)*")
_NUMBER = re.compile(rb"\s*(\d+)([.)])")
_CODE = frozenset({EntityType.CODE, EntityType.PRE})
#: styles that may contain code; other styles are split around code, as Telegram would do
#: (core.telegram.org/bots/api#messageentity)
_AROUND_CODE = frozenset({EntityType.BLOCKQUOTE})


def item_numbers(source: bytes, events: tuple[Event, ...]) -> dict[int, str]:
    """Return each list item's number by the index of its first byte. If a list repeats one number, count up from it."""
    marks: dict[int, str] = {}
    lists: list[list[tuple[int, int, str]]] = []
    for event, place in events:
        match event:
            case {"Start": {"List": _}}:
                lists.append([])
            case {"Start": "Item"}:
                lists[-1].extend(_item_number(source, place))
            case {"End": {"List": _}}:
                marks.update(_list_marks(lists.pop()))
    return marks


def _item_number(source: bytes, place: Any) -> list[tuple[int, int, str]]:
    number = _NUMBER.match(source, place["start"])
    return [(place["start"], int(number[1]), number[2].decode())] if number else []


def _list_marks(items: list[tuple[int, int, str]]) -> dict[int, str]:
    counts_itself = len({number for _, number, _ in items}) == 1
    return {start: f"{number + i * counts_itself}{end}" for i, (start, number, end) in enumerate(items)}


@dataclass
class TextWriter:
    """A text that is being written, with its entities."""

    pieces: list[str] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    #: length of the text in UTF-16 units
    length: int = 0
    #: whether the last line is empty, or contains only a list's mark
    is_fresh: bool = True
    #: the mark of a list item that is to be written before the next text
    mark: str = ""
    #: by kind, the positions at which the open styles start
    opened: dict[EntityType, list[int]] = field(default_factory=dict)
    #: by kind, the number of styles that tags have opened and not closed
    tagged: Counter[EntityType] = field(default_factory=Counter)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def write(self, text: str) -> None:
        if text:
            self.flush_mark()
            self._append(text)
            self.is_fresh = False

    def write_as(self, kind: EntityType, text: str, language: str = "") -> None:
        """Add a text as one entity of this kind; a blank text is added without an entity."""
        self.flush_mark()
        start = self.length
        self.write(text)
        if text.strip():
            self.entities.append(Entity(kind, start, self.length - start, language=language))

    def begin_line(self, after_blank_line: bool) -> None:
        """Begin a new line, after a blank one if wanted. Do nothing if the current line has just begun."""
        if not self.is_fresh:
            self._append("\n\n" if after_blank_line else "\n")
        self.is_fresh = True

    def flush_mark(self) -> None:
        """Write the current list item's bullet or number if it is not written yet. The line still counts as new."""
        mark, self.mark = self.mark, ""
        self._append(mark)

    def open(self, kind: EntityType) -> None:
        self.flush_mark()
        self.opened.setdefault(kind, []).append(self.length)

    def close(self, kind: EntityType, url: str = "") -> None:
        """Close the last opened style of this kind. It becomes an entity unless empty or inside another of its kind."""
        start = self.opened[kind].pop()
        if self.opened[kind] or (kind is EntityType.TEXT_LINK and not url):
            return
        for first, last in [(start, self.length)] if kind in _AROUND_CODE else list(self._beside_code(start)):
            if last > first:
                self.entities.append(Entity(kind, first, last - first, url=url))

    def _beside_code(self, start: int) -> Iterator[tuple[int, int]]:
        """Yield the ranges from `start` on that are not code."""
        at = start
        for code in self.entities:
            if code.type in _CODE and code.offset >= start:
                yield at, code.offset
                at = code.end
        yield at, self.length

    def is_in(self, kind: EntityType) -> bool:
        """Return whether a style of this kind is open."""
        return bool(self.opened.get(kind))

    def _append(self, text: str) -> None:
        self.pieces.append(text)
        self.length += utf16_length(text)


def nest_entities(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Return the entities in order, outer ones first. An entity that crosses the end of another is split there."""
    waiting = [(e.offset, -e.length, number, e) for number, e in enumerate(sorted(entities, key=_order))]
    heapify(waiting)
    done: list[Entity] = []
    around: list[Entity] = []
    while waiting:
        *_, number, one = heappop(waiting)
        around = [outer for outer in around if outer.end > one.offset]
        end = min([one.end, *(outer.end for outer in around)])
        if end < one.end:
            heappush(waiting, (end, end - one.end, number, replace(one, offset=end, length=one.end - end)))
        if all(outer.type is not one.type for outer in around):
            done.append(replace(one, length=end - one.offset))
            around.append(done[-1])
    return tuple(sorted(done, key=_order))


def _order(entity: Entity) -> tuple[int, int, str]:
    return entity.offset, -entity.length, entity.type


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """Return a table as text. The first row is underlined, and each column is as wide as its widest cell."""
    columns = list(zip_longest(*rows, fillvalue=""))
    widths = [max(map(_width, column)) for column in columns]
    lines = [
        " | ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
    return "\n".join([*lines[:1], "-+-".join("-" * width for width in widths), *lines[1:]])


def header_of(text: str) -> str:
    """Return the first row of a table and the line below it, with line ends; "" if the text is not a table."""
    lines = text.split("\n")
    if len(lines) < 3 or not _RULE.fullmatch(lines[1]) or any(_width(line) > len(lines[1]) for line in lines):
        return ""
    return f"{lines[0]}\n{lines[1]}\n"


def with_header(part: FormattedText, header: str) -> FormattedText:
    """Put the table's header before a part that begins inside the table."""
    more = utf16_length(header)
    entities = (
        replace(e, offset=e.offset + (more if e.offset else 0), length=e.length + (0 if e.offset else more))
        for e in part.entities
    )
    return FormattedText(header + part.text, tuple(entities))


def _width(text: str) -> int:
    """Return the number of columns that a text takes: two for a wide letter or an emoji, none for a combining mark."""
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )
