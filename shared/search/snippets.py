"""Snippets: the part of a segment that answers a question best, with who said it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from shared.models.segment import Segment, SegmentMessage
from shared.search.terms import AskedTerm, spans_of

#: characters of a snippet, about as many
MOST: Final = 300
CUT: Final = "…"


@dataclass(frozen=True)
class Snippet:
    """The message that matches best, and the part of it."""

    message: SegmentMessage
    text: str


@dataclass(frozen=True)
class _Hit:
    start: int
    end: int
    #: the places of the question's terms that stand there
    places: frozenset[int]


def snippet_of(segment: Segment, asked: Sequence[AskedTerm], people: Collection[int] = ()) -> Snippet:
    """The best part; of these people's messages, if any are named. Without a match it is the beginning."""
    told = [one for one in segment.messages if one.author in people] or segment.messages
    places = {variant: place for place, term in enumerate(asked) for variant in term.variants}
    found = [{places[term] for term in one.terms.split() if term in places} for one in told]
    best = max(range(len(told)), key=lambda n: (_worth(found[n], asked), -n))
    return Snippet(told[best], f"{told[best].name}: {_cut(told[best].text, places, asked)}")


def _hits(text: str, places: Mapping[str, int]) -> list[_Hit]:
    found = (_Hit(a, b, frozenset(places[v] for v in terms if v in places)) for a, b, terms in spans_of(text))
    return [hit for hit in found if hit.places]


def _worth(places: Iterable[int], asked: Sequence[AskedTerm]) -> float:
    """Each term once, a small word for little."""
    return sum(0.1 if asked[place].is_small else 1.0 for place in set(places))


def _cut(text: str, places: Mapping[str, int], asked: Sequence[AskedTerm]) -> str:
    """The window of the text that has most; cut where words end."""
    if len(text) <= MOST:
        return text
    hits = _hits(text, places)
    begin = max((hit.start for hit in hits), key=lambda start: _worth_from(start, hits, asked), default=0)
    # some words before the first match tell what it is about
    begin = min(max(0, begin - MOST // 4), len(text) - MOST)
    begin = 0 if begin < MOST // 8 else _after_space(text, begin)
    end = begin + MOST
    end = len(text) if end >= len(text) else _before_space(text, begin, end)
    return f"{CUT if begin else ''}{text[begin:end].strip()}{CUT if end < len(text) else ''}"


def _worth_from(start: int, hits: Sequence[_Hit], asked: Sequence[AskedTerm]) -> tuple[float, int]:
    inside = [hit for hit in hits if start <= hit.start and hit.end <= start + MOST * 3 // 4]
    return _worth((place for hit in inside for place in hit.places), asked), -start


def _after_space(text: str, at: int) -> int:
    space = text.find(" ", at, at + 30)
    return space + 1 if space >= 0 else at


def _before_space(text: str, begin: int, at: int) -> int:
    space = text.rfind(" ", max(begin + 1, at - 30), at)
    return space if space >= 0 else at
