"""The segments that may answer, found by their words: the rarest first, as many as may be read."""

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from shared.models.recalled import Wanted
from shared.models.segment import Segment
from shared.ports.search import Area, Count, Segments
from shared.search.scoring import Corpus, Question
from shared.search.terms import author_term

#: segments that are read for their words: beside neighbours of a vector, and without any
BESIDE_VECTORS: Final = 50
ALONE: Final = 140
#: of them, those of days that the question or a filter names, and of a person
OF_DAYS: Final = 15
#: days after those that a question names on which it may still be told of them
AFTER: Final = 3
#: segments that are counted of a term, and in all: a thousand cost one read
MOST_OF_TERM: Final = 1000
MOST_OF_ALL: Final = 10_000


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """The segments that were found, what was counted, and how many documents that took."""

    segments: Sequence[Segment]
    total: int
    #: for each term of the question how many segments have it; none: not counted, or too many
    matches: tuple[int | None, ...]
    reads: int

    def corpus(self, abbreviations: Mapping[str, float]) -> Corpus:
        """What is known of all that was searched."""
        return Corpus(segments=self.total, matches=self.matches, abbreviations=abbreviations)


@dataclass(frozen=True, kw_only=True)
class Counted:
    """How many segments there are, and how many have each term of a question; and what counting took."""

    total: int
    matches: tuple[int | None, ...]
    reads: int


async def counted(segments: Segments, area: Area, question: Question) -> Counted:
    """The counts: all at once, none of them goes far."""
    total, *counts = await asyncio.gather(
        segments.count(area, MOST_OF_ALL), *(_counted(segments, area, question, place) for place in _all(question))
    )
    reads = total.reads + sum(one.reads for one in counts)
    return Counted(total=total.segments or 0, matches=tuple(one.segments for one in counts), reads=reads)


@dataclass(frozen=True, kw_only=True)
class Looking:
    """What is looked for, and where."""

    segments: Segments
    area: Area
    question: Question
    wanted: Wanted


async def by_words(looking: Looking, counts: Counted, budget: int) -> Gathered:
    """The newest segments that have the rarest terms of a question, or that are of the days that it names."""
    days = list(_of_days(looking))
    left = budget - OF_DAYS * len(days)
    answers = await asyncio.gather(*_of_terms(looking, counts.matches, left), *days)
    found = [one for answer in answers for one in answer]
    return Gathered(segments=found, total=counts.total, matches=counts.matches, reads=counts.reads + len(found))


def _all(question: Question) -> range:
    return range(len(question.terms))


async def _counted(segments: Segments, area: Area, question: Question, place: int) -> Count:
    """A small word is not counted: it is rare among the candidates or it is not."""
    term = question.terms[place]
    return Count(None, 0) if term.is_small else await segments.matches(area, term.variants, MOST_OF_TERM)


def _of_terms(looking: Looking, counts: Sequence[int | None], budget: int) -> Iterator[Awaitable[Sequence[Segment]]]:
    """All segments of the rarest terms together, so that one that has several is read once; the newest of the next."""
    terms = looking.question.terms
    rarest = sorted((count, place) for place, count in enumerate(counts) if count)
    whole: list[int] = []
    left = budget
    for count, place in rarest:
        if count > left:
            break
        whole.append(place)
        left -= count
    variants = tuple(dict.fromkeys(one for place in whole for one in terms[place].variants))
    if variants:
        yield looking.segments.with_terms(looking.area, variants, budget - left)
    frequent = [place for place, term in enumerate(terms) if counts[place] is None and not term.is_small]
    following = [*(place for _, place in rarest[len(whole) :]), *frequent]
    if following and left > 0:
        yield looking.segments.with_terms(looking.area, terms[following[0]].variants, left)


def _of_days(looking: Looking) -> Iterator[Awaitable[Sequence[Segment]]]:
    """What was said on the days that the question names; what a person said, or on the days of a filter."""
    segments, area, wanted = looking.segments, looking.area, looking.wanted
    telling = [variant for term in looking.question.terms if not term.is_small for variant in term.variants]
    for period in looking.question.periods[:1]:
        since = datetime.combine(period.first, time(), wanted.zone).astimezone(UTC)
        until = datetime.combine(period.last, time(), wanted.zone).astimezone(UTC) + timedelta(days=AFTER)
        if telling:
            yield segments.with_terms(area.within(since, until), telling, OF_DAYS)
    if wanted.person.isdecimal():
        yield segments.with_terms(area, (author_term(int(wanted.person)),), OF_DAYS)
    elif area.since or area.until or wanted.conversation:
        yield segments.newest(area, OF_DAYS)
