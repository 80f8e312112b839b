"""Cut a long text into parts that Telegram accepts, at the ends of paragraphs, lines and words."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import accumulate

from shared.base.text import Entity, EntityType, FormattedText, is_blank, utf16_length
from shared.telegram.markdown.blocks import header_of, with_header

#: white space at which a line may be broken
GAP = re.compile(r"[^\S\u00a0\u2007\u202f]+")
#: the end of a clause in scripts without spaces
WIDE_STOP = re.compile(r"[。！？；：，、…」』）]+(?=\S)")
CODE_GAP = re.compile(r"\n|(?<=\S) +(?=\S)")
#: the beginning of a line of code that belongs to the line above
CODE_GOES_ON = re.compile(r"[\s)\]}]")


class CutRank(IntEnum):
    """The kinds of places for a cut, from worst to best: the end of a word, of a line, of a paragraph."""

    WORD = 1
    LINE = 2
    PARAGRAPH = 3


@dataclass(frozen=True)
class CutPoint:
    """A place for a cut: the index at which one part ends, and the index at which the next part begins."""

    end: int
    next: int
    rank: CutRank


@dataclass(frozen=True)
class TextSpan:
    """A range of a text that is entirely code or entirely prose. `end` is exclusive."""

    start: int
    end: int
    is_code: bool


def text_spans(length: int, code: Sequence[tuple[int, int]]) -> list[TextSpan]:
    """Return the ranges of prose and code, alternating. The first and last are prose, and may be empty.

    `code` has the start and end of each range of code, in order.
    """
    spans, at = [], 0
    for start, end in code:
        spans += [TextSpan(at, start, is_code=False), TextSpan(start, end, is_code=True)]
        at = end
    return [*spans, TextSpan(at, length, is_code=False)]


def cut_points(text: str, span: TextSpan) -> Iterator[CutPoint]:
    """Yield the cut points of a span, in order."""
    yield from _in_code(text, span) if span.is_code else _in_prose(text, span)


def _in_prose(text: str, span: TextSpan) -> list[CutPoint]:
    """Return the places for cuts in prose: at white space, which is dropped there, and after clauses."""
    gaps = [
        CutPoint(gap.start(), gap.end(), CutRank(min(CutRank.PARAGRAPH, CutRank.WORD + gap[0].count("\n"))))
        for gap in GAP.finditer(text, span.start, span.end)
    ]
    stops = [CutPoint(stop.end(), stop.end(), CutRank.WORD) for stop in WIDE_STOP.finditer(text, span.start, span.end)]
    return sorted([*gaps, *stops], key=lambda point: point.end)


def _in_code(text: str, span: TextSpan) -> Iterator[CutPoint]:
    """Yield the places for cuts in code.

    Only a line end is dropped at a cut, since other white space in code has a meaning. The best place is before a line
    without indentation, since Telegram strips white space from the beginning of a message.
    """
    for gap in CODE_GAP.finditer(text, span.start, span.end):
        if gap[0] == "\n":
            goes_on = CODE_GOES_ON.match(text, gap.end(), span.end)
            yield CutPoint(gap.start(), gap.end(), CutRank.LINE if goes_on else CutRank.PARAGRAPH)
        else:
            yield CutPoint(gap.end(), gap.end(), CutRank.WORD)


#: the maximum UTF-16 units of a message (core.telegram.org/bots/api#sendmessage)
LONGEST_MESSAGE = 4096
#: the maximum number of entities of a message; Telegram drops further ones (core.telegram.org/api/entities)
MOST_ENTITIES = 100


def cut(
    whole: FormattedText, longest: int = LONGEST_MESSAGE, most_entities: int = MOST_ENTITIES
) -> list[FormattedText]:
    """Return the parts of a text in order, none of them blank.

    Joined, the parts are the text without the white space at the cuts. A part that begins inside a table also repeats
    the table's header.

    A cut is at the end of a paragraph, else of a line, else of a word. An entity is cut only if no single message can
    hold it. A part has at most `longest` UTF-16 units and at most `most_entities` entities. `longest` must be 2 or
    more; `most_entities` must be 10 or more, since entities may overlap.
    """
    return [part for part in _Cutter(whole, longest, most_entities).parts() if not is_blank(part.text)]


class _Cutter:
    """Cuts one text into parts. Positions are indexes of characters, unless their names say units."""

    def __init__(self, whole: FormattedText, longest: int, most_entities: int) -> None:
        self.text, self.longest, self.most_entities = whole.text, longest, most_entities
        #: for each character and for the end of the text, the number of UTF-16 units before it
        self.units = [0, *accumulate(2 if letter > "\uffff" else 1 for letter in whole.text)]
        self.entities = [self._in_characters(entity) for entity in whole.entities]
        #: for each position, whether a cut there would split an entity that a single message could hold
        self.is_inside = self._insides()
        #: for each table, the start and the end of its rows, and its header
        self.tables = [(e.offset + len(head), e.end, head) for e in self.entities if (head := self._header_of(e))]
        code = [(e.offset, e.end) for e in self.entities if e.type in (EntityType.CODE, EntityType.PRE)]
        self.spans = text_spans(len(self.text), code)
        points = (point for span in self.spans for point in cut_points(self.text, span))
        self.cut_points = [p for p in points if not (self.is_inside[p.end] and self.is_inside[p.next])]

    def parts(self) -> Iterator[FormattedText]:
        """Yield the parts, including blank ones."""
        head, tail = self.spans[0], self.spans[-1]
        start = head.end - len(self.text[: head.end].lstrip())
        last = tail.start + len(self.text[tail.start :].rstrip())
        while start < last:
            header = next((header for begin, end, header in self.tables if begin < start < end), "")
            point = self._next_cut(start, last, self.longest - utf16_length(header))
            part = self._part(start, point.end)
            yield with_header(part, header) if header else part
            start = point.next

    def _header_of(self, entity: Entity) -> str:
        """Return the header of a table; "" if the entity is not a table, or if the header is too long to repeat."""
        header = header_of(self.text[entity.offset : entity.end]) if entity.type is EntityType.PRE else ""
        return header if utf16_length(header) <= self.longest // 4 else ""

    def _in_characters(self, entity: Entity) -> Entity:
        start, end = bisect_left(self.units, entity.offset), bisect_left(self.units, entity.end)
        return replace(entity, offset=start, length=end - start)

    def _insides(self) -> list[bool]:
        starts, ends = sorted(e.offset for e in self.entities), sorted(e.end for e in self.entities)
        inside = [False] * (len(self.text) + 1)
        for e in self.entities:
            overlapping = bisect_left(starts, e.end) - bisect_right(ends, e.offset)
            if self.units[e.end] - self.units[e.offset] <= self.longest and overlapping <= self.most_entities:
                inside[e.offset + 1 : e.end] = [True] * (e.length - 1)
        return inside

    def _next_cut(self, start: int, last: int, longest: int) -> CutPoint:
        stop = self._furthest(start, longest)
        if stop >= last:
            return CutPoint(last, last, CutRank.PARAGRAPH)
        by_end = [point.end for point in self.cut_points]
        near = self.cut_points[bisect_right(by_end, start) : bisect_right(by_end, stop)]
        half = self.units[start] + longest // 2
        for least_units in (half, 0):  # shorter than half the limit only if a word would be cut otherwise
            for rank in reversed(CutRank):
                good = [p for p in near if p.rank >= rank and self.units[p.end] >= least_units]
                if good:
                    return good[-1]
        return self._cut_in_word(start, stop)

    def _furthest(self, start: int, longest: int) -> int:
        """Return the latest end of a part that begins at `start`."""
        stop = bisect_right(self.units, self.units[start] + longest) - 1
        one_too_many = [e.offset for e in self.entities if e.end > start][self.most_entities :]
        return min([stop, *one_too_many[:1]])

    def _cut_in_word(self, start: int, stop: int) -> CutPoint:
        between = [i for i in range(stop, start, -1) if not self.is_inside[i]] or [stop]
        end = next((i for i in between if is_boundary(self.text, i)), between[0])
        return CutPoint(end, end, CutRank.WORD)

    def _part(self, start: int, end: int) -> FormattedText:
        held = (self._clip(e, start, end) for e in self.entities if e.offset < end and e.end > start)
        return FormattedText(self.text[start:end], tuple(entity for entity in held if entity))

    def _clip(self, entity: Entity, start: int, end: int) -> Entity | None:
        """Return the part of an entity between `start` and `end`, in UTF-16 units from `start`; None if it is blank."""
        first, last = max(entity.offset, start), min(entity.end, end)
        if is_blank(self.text[first:last]):
            return None
        return replace(
            entity, offset=self.units[first] - self.units[start], length=self.units[last] - self.units[first]
        )


#: the character that joins several emoji into one
_JOINER = "\u200d"
_MARKS = ("Mn", "Me", "Mc")


def is_boundary(text: str, at: int) -> bool:
    """Return whether a cut before this index leaves accented letters and composed emoji whole.

    This follows the Unicode rules for graphemes (UAX 29) that matter in practice. It never allows a cut that these
    rules forbid, but it forbids some cuts that they allow.
    """
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if _JOINER in (before, after) or _extends(after):
        return False
    if _is_flag_letter(before) and _is_flag_letter(after):
        return _flag_letters_up_to(text, at) % 2 == 0
    return not (_is_jamo(before) and _is_jamo(after))


def _extends(letter: str) -> bool:
    """Return whether a character changes the one before it: an accent, a skin tone, or a tag in a regional flag."""
    return (
        unicodedata.category(letter) in _MARKS
        or "\U0001f3fb" <= letter <= "\U0001f3ff"
        or "\U000e0020" <= letter <= "\U000e007f"
    )


def _is_flag_letter(letter: str) -> bool:
    """Return whether a character is a regional indicator; two of these make the flag of a country."""
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _flag_letters_up_to(text: str, at: int) -> int:
    start = at
    while start > 0 and _is_flag_letter(text[start - 1]):
        start -= 1
    return at - start


def _is_jamo(letter: str) -> bool:
    """Return whether a character is a part of a Korean syllable."""
    return "\u1100" <= letter <= "\u11ff" or "\ua960" <= letter <= "\ua97c" or "\ud7b0" <= letter <= "\ud7fb"
