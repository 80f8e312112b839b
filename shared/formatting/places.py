"""The places where a text may be cut: at the ends of paragraphs, lines and words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

#: white space where a line may break
GAP = re.compile(r"[^\S\u00a0\u2007\u202f]+")
#: what ends a clause in scripts that have no spaces
WIDE_STOP = re.compile(r"[。！？；：，、…」』）]+(?=\S)")
CODE_GAP = re.compile(r"\n|(?<=\S) +(?=\S)")
#: a line of code that begins so belongs to the one before
CODE_GOES_ON = re.compile(r"[\s)\]}]")


class Rank(IntEnum):
    """How good a place for a cut is."""

    WORD = 1
    LINE = 2
    PARAGRAPH = 3


@dataclass(frozen=True)
class Place:
    """A place for a cut: the index where the part before it ends, and the one where the next part begins."""

    end: int
    next: int
    rank: Rank


@dataclass(frozen=True)
class Stretch:
    """A stretch of a text that is all code or all prose."""

    start: int
    end: int
    is_code: bool


def stretches(length: int, code: Sequence[tuple[int, int]]) -> list[Stretch]:
    """A text by turns of prose and code, with prose (maybe none) at both ends; `code` says where each code is."""
    turns, at = [], 0
    for start, end in code:
        turns += [Stretch(at, start, is_code=False), Stretch(start, end, is_code=True)]
        at = end
    return [*turns, Stretch(at, length, is_code=False)]


def places(text: str, stretch: Stretch) -> Iterator[Place]:
    """The places in a stretch, in order."""
    yield from _in_code(text, stretch) if stretch.is_code else _in_prose(text, stretch)


def _in_prose(text: str, stretch: Stretch) -> list[Place]:
    """White space at a cut is left out."""
    gaps = [
        Place(gap.start(), gap.end(), Rank(min(Rank.PARAGRAPH, Rank.WORD + gap[0].count("\n"))))
        for gap in GAP.finditer(text, stretch.start, stretch.end)
    ]
    stops = [Place(stop.end(), stop.end(), Rank.WORD) for stop in WIDE_STOP.finditer(text, stretch.start, stretch.end)]
    return sorted([*gaps, *stops], key=lambda place: place.end)


def _in_code(text: str, stretch: Stretch) -> Iterator[Place]:
    """Only the end of the line at a cut is left out: other white space means something.

    Best is a cut before a line that isn't indented, since Telegram takes white space from a message's beginning.
    """
    for gap in CODE_GAP.finditer(text, stretch.start, stretch.end):
        if gap[0] == "\n":
            goes_on = CODE_GOES_ON.match(text, gap.end(), stretch.end)
            yield Place(gap.start(), gap.end(), Rank.LINE if goes_on else Rank.PARAGRAPH)
        else:
            yield Place(gap.end(), gap.end(), Rank.WORD)
