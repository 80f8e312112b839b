"""Tests of which segments are read for a question."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from shared.base.language.terms import query_terms
from shared.chat.store.chats import FirestoreChats
from shared.recall.candidates import (
    BESIDE_VECTORS,
    FEW,
    MOST_PERIODS,
    OF_DAYS_ALONE,
    SegmentQuery,
    dated_query,
    is_small,
    newest_segments,
    search_area,
    segments_by_words,
)
from shared.recall.matching.dates import periods_in
from shared.recall.matching.questions import asks_of_days
from shared.recall.matching.scoring import SearchQuestion
from shared.recall.store.segments import FirestoreSegments, SearchArea, SegmentCount
from shared.values.chat_key import ChatKey
from shared.values.place import VisibleChats, place_of
from shared.values.recalled import RecallQuery
from tests.shared.recall.searched import keep, later, segment


async def looking_for(chats: FirestoreChats, key: ChatKey, question: str, texts: list[str]) -> SegmentQuery:
    """Make the query of a question. The texts are stored as segments, the newest last."""
    place = place_of(key)
    await keep(chats, *(segment(place, t, number=n, at=later(n)) for n, t in enumerate(texts, 1)), with_vectors=False)
    return SegmentQuery(
        segments=FirestoreSegments(chats.client),
        area=SearchArea(visible=VisibleChats(agent=key.agent, places=(place,))),
        question=SearchQuestion(terms=query_terms(question)),
        query=RecallQuery(query=question, now=later(99), zone=UTC),
        total=len(texts),
    )


async def test_reads_rare_terms_and_the_newest_of_a_frequent_one(chats: FirestoreChats, key: ChatKey) -> None:
    texts = ["a rare dog", *["a dog"] * (BESIDE_VECTORS + 9)]
    found = await segments_by_words(
        await looking_for(chats, key, "is the dog rare or unheard", texts), has_vectors=True
    )
    assert found.matches == (None, None, len(texts), 1, None, 0)
    last = range(len(texts) - BESIDE_VECTORS + 2, len(texts) + 1)
    assert sorted(one.number for one in found.segments) == [1, *last]
    assert found.reads == 3 + BESIDE_VECTORS


class Many(FirestoreSegments):
    """Segments of which so many contain a dog that they are not counted."""

    async def matches(self, area: SearchArea, variants: Sequence[str], most: int) -> SegmentCount:
        return SegmentCount(None, 1) if "dog" in variants else await super().matches(area, variants, most)


async def test_reads_the_newest_of_an_uncounted_term_beside_a_small_word(chats: FirestoreChats, key: ChatKey) -> None:
    texts = ["a rare dog", "a dog", *["it is the sea"] * 9, "a dog"]
    looking = replace(await looking_for(chats, key, "is the dog", texts), segments=Many(chats.client))
    assert {one.number for one in (await segments_by_words(looking, has_vectors=True)).segments} == {1, 2, 12}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("What did we do on {0} and on {1}?", {20, 60}),
        ("What did we do on {1} and on {0}?", {20, 60}),
        ("Was haben wir am {0} und am {1} gemacht?", {20, 60}),
        ("What did Ann do on {0} and on {1}?", {20, 60}),
        ("What did we do on {0}, {1}, {2} and {3}?", {20, 60, 100, 140}),
    ],
)
async def test_reads_each_named_day(chats: FirestoreChats, key: ChatKey, asked: str, found: set[int]) -> None:
    query = asked.format(*(f"{later(n):%Y-%m-%d}" for n in (20, 60, 100, 140)))
    looking = await looking_for(chats, key, query, ["tea"] * 200)
    wanted = replace(looking.query, now=later(210))
    periods = periods_in(query, wanted.now.date())
    question = replace(looking.question, periods=periods, is_of_days=asks_of_days(*dated_query(wanted)))
    few = await segments_by_words(replace(looking, question=question, query=wanted), has_vectors=True)
    assert {one.number for one in few.segments} == found


async def test_several_days_share_the_limit_of_one(chats: FirestoreChats, key: ChatKey) -> None:
    query = f"What did we do on {', '.join(f'{later(n):%Y-%m-%d}' for n in range(20))}?"
    looking = await looking_for(chats, key, query, ["tea"])
    place = place_of(key)
    some = [segment(place, "tea", number=10 * n + m, at=later(n)) for n in range(20) for m in range(1, 10)]
    await keep(chats, *some, with_vectors=False)
    question = replace(looking.question, periods=periods_in(query, later(99).date()), is_of_days=True)
    found = await segments_by_words(replace(looking, question=question), has_vectors=True)
    assert MOST_PERIODS < len(found.segments) <= OF_DAYS_ALONE


def test_filter_days_follow_the_persons_zone() -> None:
    def days(**more: Any) -> tuple[datetime | None, datetime | None]:
        asked = RecallQuery(query="", now=later(0), zone=timezone(timedelta(hours=3)), **more)
        area = search_area(VisibleChats(agent="lull", places=("p",)), asked)
        return area.since, area.until

    first, last = date(2026, 5, 8), date(2026, 5, 9)
    begin, end = datetime(2026, 5, 7, 21, tzinfo=UTC), datetime(2026, 5, 9, 21, tzinfo=UTC)
    assert days() == (None, None)
    assert days(since=first) == (begin, None)
    beginning, until = days(since=first, until=last)
    assert beginning == begin
    assert until is not None
    assert until >= end  # a segment that begins on the last day may end after this day
    assert days(since=date.min, until=date.max) == (None, None)


async def test_reads_all_of_few_segments(chats: FirestoreChats, key: ChatKey) -> None:
    looking = await looking_for(chats, key, "dog", ["a dog"] * 4)
    assert is_small(looking)
    assert not is_small(replace(looking, total=FEW + 1))
    assert not is_small(replace(looking, area=looking.area.within(later(0), later(9))))
    assert [one.number for one in (await newest_segments(looking, 3)).segments] == [4, 3, 2]
    assert (await newest_segments(looking, 9)).reads == 4
