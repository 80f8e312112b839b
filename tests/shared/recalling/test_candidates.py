"""Which segments are read for a question: the rarest terms first, and no more than may be read."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.firestore.segments import FirestoreSegments
from shared.models.chat_key import ChatKey
from shared.models.place import Sight, place_of
from shared.models.recalled import Wanted
from shared.ports.search import Area, Count
from shared.recalling.candidates import BESIDE_VECTORS, FEW, Looking, area_of, by_words, is_small, newest
from shared.search.scoring import Question
from shared.search.terms import asked_terms
from tests.shared.recalling.searched import keep, later, segment


async def looking_for(chats: FirestoreChats, key: ChatKey, question: str, texts: list[str]) -> Looking:
    """A question over some texts, the newest last."""
    place = place_of(key)
    await keep(chats, *(segment(place, t, number=n, at=later(n)) for n, t in enumerate(texts, 1)), with_vectors=False)
    return Looking(
        segments=FirestoreSegments(chats.client),
        area=Area(sight=Sight(agent=key.agent, places=(place,))),
        question=Question(terms=asked_terms(question)),
        wanted=Wanted(query=question, now=later(99), zone=UTC),
        total=len(texts),
    )


async def test_the_rare_terms_are_followed_and_the_newest_of_a_frequent_one(
    chats: FirestoreChats, key: ChatKey
) -> None:
    texts = ["a rare dog", *["a dog"] * (BESIDE_VECTORS + 9)]
    found = await by_words(await looking_for(chats, key, "is the dog rare or unheard", texts), has_vectors=True)
    assert found.matches == (None, None, len(texts), 1, None, 0)
    last = range(len(texts) - BESIDE_VECTORS + 2, len(texts) + 1)
    assert sorted(one.number for one in found.segments) == [1, *last]
    assert found.reads == 3 + BESIDE_VECTORS


class Many(FirestoreSegments):
    """Segments of which so many have a dog that they are not counted."""

    async def matches(self, area: Area, variants: Sequence[str], most: int) -> Count:
        return Count(None, 1) if "dog" in variants else await super().matches(area, variants, most)


async def test_beside_a_small_word_the_newest_of_a_term_are_read_that_too_many_have(
    chats: FirestoreChats, key: ChatKey
) -> None:
    texts = ["a rare dog", "a dog", *["it is the sea"] * 9, "a dog"]
    looking = replace(await looking_for(chats, key, "is the dog", texts), segments=Many(chats.client))
    assert {one.number for one in (await by_words(looking, has_vectors=True)).segments} == {1, 2, 12}


def test_the_days_of_a_filter_begin_and_end_where_the_person_is() -> None:
    def days(**more: Any) -> tuple[datetime | None, datetime | None]:
        asked = Wanted(query="", now=later(0), zone=timezone(timedelta(hours=3)), **more)
        area = area_of(Sight(agent="lull", places=("p",)), asked)
        return area.since, area.until

    first, last = date(2026, 5, 8), date(2026, 5, 9)
    begin, end = datetime(2026, 5, 7, 21, tzinfo=UTC), datetime(2026, 5, 9, 21, tzinfo=UTC)
    assert days() == (None, None)
    assert days(since=first) == (begin, None)
    beginning, until = days(since=first, until=last)
    assert beginning == begin
    assert until is not None
    assert until >= end  # a segment that began on the last day may end after it
    assert days(since=date.min, until=date.max) == (None, None)


async def test_of_few_segments_all_are_read(chats: FirestoreChats, key: ChatKey) -> None:
    looking = await looking_for(chats, key, "dog", ["a dog"] * 4)
    assert is_small(looking)
    assert not is_small(replace(looking, total=FEW + 1))
    assert not is_small(replace(looking, area=looking.area.within(later(0), later(9))))
    assert [one.number for one in (await newest(looking, 3)).segments] == [4, 3, 2]
    assert (await newest(looking, 9)).reads == 4
