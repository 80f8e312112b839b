"""Long texts in parts that Telegram takes, cut at the ends of paragraphs, lines and words."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import accumulate

from shared.base.text import Entity, EntityType, FormattedText, is_blank, utf16_length
from shared.telegram.markdown.blocks import header_of, with_header

#: white space where a line may break
GAP = re.compile(r"[^\S\u00a0\u2007\u202f]+")
#: what ends a clause in scripts that have no spaces
WIDE_STOP = re.compile(r"[。！？；：，、…」』）]+(?=\S)")
CODE_GAP = re.compile(r"\n|(?<=\S) +(?=\S)")
#: a line of code that begins so belongs to the one before
CODE_GOES_ON = re.compile(r"[\s)\]}]")


class CutRank(IntEnum):
    """How good a cut point is."""

    WORD = 1
    LINE = 2
    PARAGRAPH = 3


@dataclass(frozen=True)
class CutPoint:
    """A place for a cut: the index where the part before it ends, and the index where the next part begins."""

    end: int
    next: int
    rank: CutRank


@dataclass(frozen=True)
class TextSpan:
    """A piece of a text that is all code or all prose; `end` is exclusive."""

    start: int
    end: int
    is_code: bool


def text_spans(length: int, code: Sequence[tuple[int, int]]) -> list[TextSpan]:
    """The prose and the code of a text by turns, beginning and ending with prose, which may be empty.

    `code` has the start and the end of each piece of code, in order.
    """
    made, at = [], 0
    for start, end in code:
        made += [TextSpan(at, start, is_code=False), TextSpan(start, end, is_code=True)]
        at = end
    return [*made, TextSpan(at, length, is_code=False)]


def cut_points(text: str, segment: TextSpan) -> Iterator[CutPoint]:
    """The cut points in a segment, in order."""
    yield from _in_code(text, segment) if segment.is_code else _in_prose(text, segment)


def _in_prose(text: str, segment: TextSpan) -> list[CutPoint]:
    """White space at a cut point is dropped."""
    gaps = [
        CutPoint(gap.start(), gap.end(), CutRank(min(CutRank.PARAGRAPH, CutRank.WORD + gap[0].count("\n"))))
        for gap in GAP.finditer(text, segment.start, segment.end)
    ]
    stops = [
        CutPoint(stop.end(), stop.end(), CutRank.WORD) for stop in WIDE_STOP.finditer(text, segment.start, segment.end)
    ]
    return sorted([*gaps, *stops], key=lambda point: point.end)


def _in_code(text: str, segment: TextSpan) -> Iterator[CutPoint]:
    """Only the line end at a cut point is dropped: other white space of code has a meaning.

    The best cut is before a line that isn't indented, since Telegram strips white space from a message's beginning.
    """
    for gap in CODE_GAP.finditer(text, segment.start, segment.end):
        if gap[0] == "\n":
            goes_on = CODE_GOES_ON.match(text, gap.end(), segment.end)
            yield CutPoint(gap.start(), gap.end(), CutRank.LINE if goes_on else CutRank.PARAGRAPH)
        else:
            yield CutPoint(gap.end(), gap.end(), CutRank.WORD)


#: what sendMessage takes, in UTF-16 units (core.telegram.org/bots/api#sendmessage)
LONGEST_MESSAGE = 4096
#: Telegram drops further ones (core.telegram.org/api/entities)
MOST_ENTITIES = 100


def cut(
    whole: FormattedText, longest: int = LONGEST_MESSAGE, most_entities: int = MOST_ENTITIES
) -> list[FormattedText]:
    """The parts in order, none of them blank; joined they are the whole text but for white space at the cuts.

    A part that begins within a table repeats the table's header.

    A cut is at the end of a paragraph, else of a line, else of a word. It goes through an entity only if no message can
    hold that. A part has at most `longest` UTF-16 units (2 or more) and `most_entities` (10 or more may overlap).
    """
    return [part for part in _Cutter(whole, longest, most_entities).parts() if not is_blank(part.text)]


class _Cutter:
    """One text being cut. Positions are indexes of characters, unless they are called units."""

    def __init__(self, whole: FormattedText, longest: int, most_entities: int) -> None:
        self.text, self.longest, self.most_entities = whole.text, longest, most_entities
        #: how many units stand before each character, and before the end of the text
        self.units = [0, *accumulate(2 if letter > "\uffff" else 1 for letter in whole.text)]
        self.entities = [self._in_characters(entity) for entity in whole.entities]
        #: for each position, whether a cut there goes through an entity that one message can hold
        self.is_inside = self._insides()
        #: the tables: where the rows of each begin and end, and its header
        self.tables = [(e.offset + len(head), e.end, head) for e in self.entities if (head := self._header_of(e))]
        code = [(e.offset, e.end) for e in self.entities if e.type in (EntityType.CODE, EntityType.PRE)]
        self.segments = text_spans(len(self.text), code)
        points = (point for segment in self.segments for point in cut_points(self.text, segment))
        self.cut_points = [p for p in points if not (self.is_inside[p.end] and self.is_inside[p.next])]

    def parts(self) -> Iterator[FormattedText]:
        """The parts, blank ones among them."""
        head, tail = self.segments[0], self.segments[-1]
        start = head.end - len(self.text[: head.end].lstrip())
        last = tail.start + len(self.text[tail.start :].rstrip())
        while start < last:
            header = next((header for begin, end, header in self.tables if begin < start < end), "")
            point = self._next_cut(start, last, self.longest - utf16_length(header))
            part = self._part(start, point.end)
            yield with_header(part, header) if header else part
            start = point.next

    def _header_of(self, entity: Entity) -> str:
        """The header of a table; empty for anything else, and for a header that would fill a message."""
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
        for least_units in (half, 0):  # a small part only where a word would be cut otherwise
            for rank in reversed(CutRank):
                good = [p for p in near if p.rank >= rank and self.units[p.end] >= least_units]
                if good:
                    return good[-1]
        return self._cut_in_word(start, stop)

    def _furthest(self, start: int, longest: int) -> int:
        """Where a part that begins here must end at the latest."""
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
        """The piece of an entity that a part has, in units from its start; none if nothing of the piece can be seen."""
        first, last = max(entity.offset, start), min(entity.end, end)
        if is_blank(self.text[first:last]):
            return None
        return replace(
            entity, offset=self.units[first] - self.units[start], length=self.units[last] - self.units[first]
        )


#: joins emoji into one
_JOINER = "\u200d"
_MARKS = ("Mn", "Me", "Mc")


def is_boundary(text: str, at: int) -> bool:
    """Whether a cut before this index takes no letter from its accents, and no emoji apart.

    It follows the part of Unicode's rules for grapheme clusters (UAX 29) that matters in what people write: it cuts
    nowhere that they forbid, and now and then holds together a little more.
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
    """Whether a character changes the one before it: an accent, an emoji's skin tone, a tag of a regional flag."""
    return (
        unicodedata.category(letter) in _MARKS
        or "\U0001f3fb" <= letter <= "\U0001f3ff"
        or "\U000e0020" <= letter <= "\U000e007f"
    )


def _is_flag_letter(letter: str) -> bool:
    """Whether it is one of the letters of which two make a country's flag."""
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _flag_letters_up_to(text: str, at: int) -> int:
    start = at
    while start > 0 and _is_flag_letter(text[start - 1]):
        start -= 1
    return at - start


def _is_jamo(letter: str) -> bool:
    """Whether it is one part of a Korean syllable that is written in parts."""
    return "\u1100" <= letter <= "\u11ff" or "\ua960" <= letter <= "\ua97c" or "\ud7b0" <= letter <= "\ud7fb"
