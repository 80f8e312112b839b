"""Collects the segments that may answer a query, because they contain its words or are from days that the query names.
Rare words are looked up first, and the number of documents read is limited.
"""

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
from shared.recall.store.segments import ConversationNotes, SearchArea, SegmentCount
from shared.values.chat_key import ChatKey
from shared.values.place import VisibleChats
from shared.values.recalled import RecallQuery
from shared.values.segment import Segment, SegmentMessage

if TYPE_CHECKING:
    from shared.recall.store.segments import FirestoreSegments

#: if there are at most this many segments, all of them are read, so that no term need be counted
FEW: Final = 165
#: the number of newest segments that are read besides the nearest vectors, since the newest may have no vector yet
NEWEST: Final = 8
#: the number of segments that are read by their words: with a vector search, and without it
BESIDE_VECTORS: Final = 50
ALONE: Final = 140
#: how many of these are of the days or the person that the question or a filter names
OF_DAYS: Final = 15
#: the same number for a question that names only days
OF_DAYS_ALONE: Final = 40
#: how many periods of one question are looked up; they share the limits above
MOST_PERIODS: Final = 5
#: how many words besides the days of a question may be a person's name
MOST_NAMES: Final = 1
#: the number of places that one Firestore query searches
PLACES_OF_QUERY: Final = 10
#: the number of days after a named day on which people may still speak of that day
AFTER: Final = 3
#: digits of a person's id, which has at most 52 bits (core.telegram.org/bots/api#user)
LONGEST_ID: Final = 17
#: the largest number of segments that are counted for one term, and for all; counting a thousand costs one read
MOST_OF_TERM: Final = 1000
MOST_OF_ALL: Final = 10_000
#: a filter that goes beyond these dates has no effect
EARLIEST: Final = date(1970, 1, 1)
LATEST: Final = date(9000, 1, 1)


@dataclass(frozen=True, kw_only=True)
class FoundSegments:
    """The segments found for a question, the number of segments in the whole area (`total`), and the reads spent."""

    segments: Sequence[Segment]
    total: int
    #: how many segments contain each term of the question; None if the segments were not counted or are too many
    matches: tuple[int | None, ...]
    reads: int

    def corpus(self, abbreviations: Mapping[str, float]) -> CorpusStatistics:
        """Return statistics of the searched area. `abbreviations`: each conversation's similarity to the question."""
        return CorpusStatistics(segments=self.total, matches=self.matches, abbreviations=abbreviations)


@dataclass(frozen=True, kw_only=True)
class SegmentQuery:
    """A question to look up in the stored segments of a search area."""

    segments: FirestoreSegments
    area: SearchArea
    question: SearchQuestion
    query: RecallQuery
    #: the number of segments in the area
    total: int
    #: the number of searches, such as of several agents for their owner, among which the reads of one are divided
    share: int = 1

    def most(self, limit: int) -> int:
        """Return this search's part of a limit, at least 1. Searches that run together share each limit equally."""
        return max(1, limit // self.share)


def is_small(lookup: SegmentQuery) -> bool:
    """Return whether the segments are so few that all of them can be read.

    A vector search reads them, and it cannot be limited to a time. So the result is False for a query with dates.
    """
    return lookup.total <= lookup.most(FEW) and lookup.area.since is None and lookup.area.until is None


async def newest_segments(lookup: SegmentQuery, most: int) -> FoundSegments:
    """Return the newest segments, whatever their text. The segments that contain each term are not counted."""
    found = await lookup.segments.newest(lookup.area, most)
    unknown = (None,) * len(lookup.question.terms)
    return FoundSegments(segments=found, total=lookup.total, matches=unknown, reads=len(found))


async def segments_by_words(lookup: SegmentQuery, *, has_vectors: bool) -> FoundSegments:
    """Return the newest segments that contain the question's rarest terms or are from a day that the question names."""
    terms = lookup.question.terms
    counts = await asyncio.gather(*(_count_matches(lookup, place) for place in range(len(terms))))
    matches = tuple(one.segments for one in counts)
    days = list(_day_queries(lookup))
    of_days = min(lookup.most(OF_DAYS_ALONE), sum(most for most, _ in days))
    left = lookup.most(BESIDE_VECTORS if has_vectors else ALONE) - of_days
    answers = await asyncio.gather(*_term_queries(lookup, matches, left), *(answer for _, answer in days))
    found = [one for answer in answers for one in answer]
    reads = sum(one.reads for one in counts) + len(found)
    return FoundSegments(segments=found, total=lookup.total, matches=matches, reads=reads)


async def _count_matches(lookup: SegmentQuery, place: int) -> SegmentCount:
    """Count the segments that contain the question's term with the index `place`.

    Small words such as "the" are not counted in Firestore. Counting them in the candidates is enough.
    """
    term = lookup.question.terms[place]
    if term.is_small:
        return SegmentCount(None, 0)
    return await lookup.segments.matches(lookup.area, term.variants, MOST_OF_TERM)


def _term_queries(
    lookup: SegmentQuery, counts: Sequence[int | None], budget: int
) -> Iterator[Awaitable[Sequence[Segment]]]:
    """Yield at most two queries: one for all rare terms, and one for the newest segments with the next rarest term.

    As the rare terms are in one query, a segment that contains several of them is read only once.
    """
    terms = lookup.question.terms
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
        yield lookup.segments.with_terms(lookup.area, variants, budget - left)
    frequent = [place for place, term in enumerate(terms) if counts[place] is None and not term.is_small]
    following = [*(place for _, place in rarest[len(whole) :]), *frequent]
    if following and left > 0:
        yield lookup.segments.with_terms(lookup.area, terms[following[0]].variants, left)


def _day_queries(lookup: SegmentQuery) -> Iterator[tuple[int, Awaitable[Sequence[Segment]]]]:
    """Yield the queries for segments by day or by author, each as a pair: maximum number of results, query."""
    segments, area, query, question = lookup.segments, lookup.area, lookup.query, lookup.question
    telling = [variant for term in question.terms if not term.is_small for variant in term.variants]
    # if the question has one word besides the days, the word may be the name of a person
    may_be_alone = question.is_of_days or len(terms_besides_days(*dated_query(query))) <= MOST_NAMES
    periods = newest_of(question.periods)[:MOST_PERIODS]
    for period in periods:
        since = datetime.combine(period.first, time(), query.zone).astimezone(UTC)
        until = datetime.combine(period.last, time(), query.zone).astimezone(UTC)
        most = lookup.most(OF_DAYS_ALONE if question.is_of_days else OF_DAYS) // len(periods)
        if may_be_alone:
            each = most // max(1, -(-len(area.visible.places) // PLACES_OF_QUERY))
            yield most, segments.newest(area.within(since, until + timedelta(days=1)), max(1, each))
        if telling and not question.is_of_days:
            yield most, segments.with_terms(area.within(since, until + timedelta(days=AFTER)), telling, most)
    if query.person.isdecimal() and len(query.person) < LONGEST_ID:
        yield lookup.most(OF_DAYS), segments.with_terms(area, (author_term(int(query.person)),), lookup.most(OF_DAYS))
    elif area.since or area.until or query.conversation or (query.person and not question.terms):
        yield lookup.most(OF_DAYS), segments.newest(area, lookup.most(OF_DAYS))


def dated_query(query: RecallQuery) -> tuple[str, str, date]:
    """Return the query's text, the language of its chat, and the local date on which it is asked."""
    return query.query, query.language, query.now.astimezone(query.zone).date()


def search_area(visible: VisibleChats, query: RecallQuery) -> SearchArea:
    """Return the area to search: the query's days and one day more, since a segment may continue after midnight."""
    since = query.since if query.since and query.since > EARLIEST else None
    until = query.until if query.until and query.until < LATEST else None
    return SearchArea(
        visible=visible,
        conversation=query.conversation,
        since=datetime.combine(since, time(), query.zone).astimezone(UTC) if since else None,
        until=datetime.combine(until, time(), query.zone).astimezone(UTC) + timedelta(days=2) if until else None,
    )


def is_written_by(message: SegmentMessage, person: str) -> bool:
    """Return whether a person wrote a message. `person` is an id or a part of a name."""
    return str(message.author) == person or person.casefold() in message.name.casefold()


def is_in_chat(about: ConversationNotes | None, chat: str) -> bool:
    """Return whether the title of a conversation's chat contains the text `chat`. If `chat` is empty, return True."""
    return not chat or (about is not None and chat.casefold() in about.chat_title.casefold())


def channel_of(chat: str) -> str:
    """Return the channel (`Channel`) of the chat with this document id; "" if the id is malformed."""
    try:
        return ChatKey.from_id(chat).channel.value
    except ValueError:
        return ""
