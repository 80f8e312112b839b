"""The segments that may answer, found by their words: the rarest first, as many as may be read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from shared.base.language.terms import author_term
from shared.recall.matching.periods import newest_of
from shared.recall.matching.questions import terms_besides_days
from shared.recall.matching.scoring import CorpusStatistics, SearchQuestion
from shared.recall.store.segments import SearchArea, SegmentCount
from shared.values.place import VisibleChats
from shared.values.recalled import RecallQuery
from shared.values.segment import Segment

if TYPE_CHECKING:
    from shared.recall.store.segments import FirestoreSegments

#: where there are no more segments than these, all are read: nothing is missed, and nothing needs to be counted
FEW: Final = 165
#: of them, those that are read besides the neighbours of a vector: the newest may have none yet
NEWEST: Final = 8
#: segments that are read for their words: beside neighbours of a vector, and without any
BESIDE_VECTORS: Final = 50
ALONE: Final = 140
#: of them, those of days that the question or a filter names, and of a person
OF_DAYS: Final = 15
#: where the question names nothing else than days
OF_DAYS_ALONE: Final = 40
#: days and spans of one question that are looked up, each with its part of these
MOST_PERIODS: Final = 5
#: words beside days that may be a name: each costs room of what is found by words
MOST_NAMES: Final = 1
#: places that one query looks into
PLACES_OF_QUERY: Final = 10
#: days after those that a question names on which it may still be told of them
AFTER: Final = 3
#: digits of a person's id: they have 52 bits (core.telegram.org/bots/api#user)
LONGEST_ID: Final = 17
#: segments that are counted of a term, and in all: a thousand cost one read
MOST_OF_TERM: Final = 1000
MOST_OF_ALL: Final = 10_000
#: days beyond which a filter filters nothing out
EARLIEST: Final = date(1970, 1, 1)
LATEST: Final = date(9000, 1, 1)


@dataclass(frozen=True, kw_only=True)
class FoundSegments:
    """The segments that were found, what was counted, and how many documents that took."""

    segments: Sequence[Segment]
    total: int
    #: for each term of the question how many segments have it; none: not counted, or too many
    matches: tuple[int | None, ...]
    reads: int

    def corpus(self, abbreviations: Mapping[str, float]) -> CorpusStatistics:
        """What is known of all that was searched."""
        return CorpusStatistics(segments=self.total, matches=self.matches, abbreviations=abbreviations)


@dataclass(frozen=True, kw_only=True)
class SegmentQuery:
    """What is looked for, and where."""

    segments: FirestoreSegments
    area: SearchArea
    question: SearchQuestion
    wanted: RecallQuery
    #: how many segments there are
    total: int


def is_small(looking: SegmentQuery) -> bool:
    """Whether all segments can be read. Neighbours of a vector are of any time: of some days they cannot."""
    return looking.total <= FEW and looking.area.since is None and looking.area.until is None


async def newest_segments(looking: SegmentQuery, most: int) -> FoundSegments:
    """The newest segments, whatever they say."""
    found = await looking.segments.newest(looking.area, most)
    unknown = (None,) * len(looking.question.terms)
    return FoundSegments(segments=found, total=looking.total, matches=unknown, reads=len(found))


async def segments_by_words(looking: SegmentQuery, *, has_vectors: bool) -> FoundSegments:
    """The newest segments that have the rarest terms of a question, or that are of the days that it names."""
    terms = looking.question.terms
    counts = await asyncio.gather(*(_count_matches(looking, place) for place in range(len(terms))))
    matches = tuple(one.segments for one in counts)
    days = list(_of_days(looking))
    of_days = min(OF_DAYS_ALONE, sum(most for most, _ in days))
    left = (BESIDE_VECTORS if has_vectors else ALONE) - of_days
    answers = await asyncio.gather(*_of_terms(looking, matches, left), *(answer for _, answer in days))
    found = [one for answer in answers for one in answer]
    reads = sum(one.reads for one in counts) + len(found)
    return FoundSegments(segments=found, total=looking.total, matches=matches, reads=reads)


async def _count_matches(looking: SegmentQuery, place: int) -> SegmentCount:
    """A small word is not counted: it is rare among the candidates or it is not."""
    term = looking.question.terms[place]
    if term.is_small:
        return SegmentCount(None, 0)
    return await looking.segments.matches(looking.area, term.variants, MOST_OF_TERM)


def _of_terms(
    looking: SegmentQuery, counts: Sequence[int | None], budget: int
) -> Iterator[Awaitable[Sequence[Segment]]]:
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


def _of_days(looking: SegmentQuery) -> Iterator[tuple[int, Awaitable[Sequence[Segment]]]]:
    """What was said on the days that the question names; what a person said, or on the days of a filter.

    Each with how many segments it is, at most.
    """
    segments, area, wanted, question = looking.segments, looking.area, looking.wanted, looking.question
    telling = [variant for term in question.terms if not term.is_small for variant in term.variants]
    # one word more may be somebody's name, of whom it is asked what they did then
    may_be_alone = question.is_of_days or len(terms_besides_days(*dated_query(wanted))) <= MOST_NAMES
    periods = newest_of(question.periods)[:MOST_PERIODS]
    for period in periods:
        since = datetime.combine(period.first, time(), wanted.zone).astimezone(UTC)
        until = datetime.combine(period.last, time(), wanted.zone).astimezone(UTC)
        most = (OF_DAYS_ALONE if question.is_of_days else OF_DAYS) // len(periods)
        if may_be_alone:
            each = most // max(1, -(-len(area.visible.places) // PLACES_OF_QUERY))
            yield most, segments.newest(area.within(since, until + timedelta(days=1)), max(1, each))
        if telling and not question.is_of_days:
            yield most, segments.with_terms(area.within(since, until + timedelta(days=AFTER)), telling, most)
    if wanted.person.isdecimal() and len(wanted.person) < LONGEST_ID:
        yield OF_DAYS, segments.with_terms(area, (author_term(int(wanted.person)),), OF_DAYS)
    elif area.since or area.until or wanted.conversation:
        yield OF_DAYS, segments.newest(area, OF_DAYS)


def dated_query(wanted: RecallQuery) -> tuple[str, str, date]:
    """A question, the language of its chat, and the day on which it is asked."""
    return wanted.query, wanted.language, wanted.now.astimezone(wanted.zone).date()


def search_area(visible: VisibleChats, wanted: RecallQuery) -> SearchArea:
    """What is looked into. A segment may have begun before the first day, or ended after the last."""
    since = wanted.since if wanted.since and wanted.since > EARLIEST else None
    until = wanted.until if wanted.until and wanted.until < LATEST else None
    return SearchArea(
        visible=visible,
        conversation=wanted.conversation,
        since=datetime.combine(since, time(), wanted.zone).astimezone(UTC) if since else None,
        until=datetime.combine(until, time(), wanted.zone).astimezone(UTC) + timedelta(days=2) if until else None,
    )
