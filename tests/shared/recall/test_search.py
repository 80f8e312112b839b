"""Tests of the search over the Firestore emulator."""

import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, date, timedelta
from typing import Any

import httpx
import pytest

from shared.base.errors import StoreUnavailable
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.recall.candidates import FEW
from shared.recall.prompt_recall import LEAST_FIT, LEAST_SCORE
from shared.recall.search import (
    LEAST_NEIGHBOURS,
    NEIGHBOURS,
    NO_MODEL,
    NO_VECTOR,
    NO_WORDS,
    Search,
    neighbours_of_each,
)
from shared.recall.store.segments import FirestoreSegments, SearchArea, SegmentCount
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.place import VisibleChats, place_of
from shared.values.recalled import RecallQuery, ShownEntries
from tests.shared.recall.searched import keep, later, searching, segment

ODD = ["", "?", "a" * 65_536, "\ud800", "' OR 1=1", "@7", "‮abc", "𝕳𝖊𝖑𝖑𝖔 😂", "the of and", "東", "\x00", "in May 2023"]


@pytest.fixture
async def search(chats: FirestoreChats, model_url: str) -> AsyncIterator[Search]:
    async with searching(chats, model_url) as found:
        yield found


def wanted(query: str, **more: Any) -> RecallQuery:
    return RecallQuery(query=query, now=later(300), zone=UTC, **more)


def seeing(*places: str) -> VisibleChats:
    return VisibleChats(agent="lull", places=places)


async def test_finds_messages_with_their_source(chats: FirestoreChats, search: Search, key: ChatKey) -> None:
    place = place_of(key)
    await keep(chats, segment(place, "We adopt two dogs"), segment(place, "The sea was cold", number=2, at=later(9)))
    found = await search.search(seeing(place), wanted("who adopted a dog?"))
    best = found.found[0]
    assert best.snippet == "Ann: We adopt two dogs"
    assert (best.source.conversation, best.source.place) == (f"conv-{place}", place)
    assert (best.source.title, best.topics, best.stretch.first_turn, best.stretch.last_seq, best.message_id) == (
        f"About {place}",
        ("things",),
        1,
        1,
        1,
    )
    assert found.trouble == ""
    assert 0 < found.reads < 40
    assert found.total == 2


async def test_the_filters_narrow_what_is_found(chats: FirestoreChats, search: Search, key: ChatKey) -> None:
    place = place_of(key)
    await keep(
        chats,
        segment(place, "a dog", number=1),
        segment(place, "a dog again", number=2, at=later(40), author=8, name="Bob"),
        segment(f"{place}1", "a dog elsewhere", at=later(41)),
    )
    visible = seeing(place, f"{place}1")

    async def numbers(**more: Any) -> set[tuple[str, int]]:
        findings = await search.search(visible, wanted("dog", **more))
        return {(one.source.conversation, one.stretch.first_seq) for one in findings.found}

    here, there = f"conv-{place}", f"conv-{place}1"
    assert await numbers() == {(here, 1), (here, 2), (there, 1)}
    assert await numbers(conversation=here) == {(here, 1), (here, 2)}
    assert await numbers(person="8") == {(here, 2)}
    assert await numbers(since=later(39).date()) == {(here, 2), (there, 1)}
    assert await numbers(until=later(1).date()) == {(here, 1)}
    assert await numbers(person="9" * 5000) == set()
    assert await numbers(since=date(1999, 1, 1), until=date(1999, 2, 1)) == set()
    assert await numbers(shown=ShownEntries(conversation=here, from_seq=2)) == {(here, 1), (there, 1)}
    assert len((await search.search(visible, wanted("dog", limit=1))).found) == 1


async def test_filters_by_part_of_a_chats_title(chats: FirestoreChats, search: Search, key: ChatKey) -> None:
    places = [f"{place_of(key)}{n}" for n in range(3)]
    await keep(chats, *(segment(place, "a dog") for place in places))
    for place, name in zip(places, ["The Dogs of Lviv", "Dogs", ""], strict=True):
        await chats.client.document(paths.conversation_path(f"conv-{place}")).update({"chat_title": name})

    async def found(chat: str) -> set[str]:
        return {one.source.place for one in (await search.search(seeing(*places), wanted("dog", chat=chat))).found}

    assert await found("dogs of") == {places[0]}
    assert await found("DOGS") == {*places[:2]}
    assert await found("cats") == set()


async def test_finds_segments_without_vectors_by_words(chats: FirestoreChats, search: Search, key: ChatKey) -> None:
    place = place_of(key)
    await keep(chats, *(segment(place, "the sea", number=n, at=later(n)) for n in range(3, 15)), with_vectors=False)
    await keep(chats, segment(place, "a dog", number=1), with_vectors=False)
    await keep(chats, segment(place, "the sky", number=2))
    found = await search.search(seeing(place), wanted("dog", limit=1))
    assert (found.found[0].stretch.first_seq, found.total) == (1, 2)


async def test_accepts_any_day_as_a_filter(chats: FirestoreChats, search: Search, key: ChatKey) -> None:
    place = place_of(key)
    await keep(chats, segment(place, "a dog"))
    assert len((await search.search(seeing(place), wanted("dog", since=date.min, until=date.max))).found) == 1


@pytest.mark.parametrize("has_vectors", [True, False])
@pytest.mark.parametrize(
    "query", ["What did we do on Friday?", "Was haben wir am Freitag gemacht?", "我们星期五做了什么？"]
)
async def test_a_question_about_a_day_finds_its_messages(
    chats: FirestoreChats, search: Search, key: ChatKey, query: str, has_vectors: bool
) -> None:
    place = place_of(key)
    friday = next(later(n) for n in range(300, 290, -1) if later(n).weekday() == 4 and n < 300)
    texts = ["the gutters want cleaning", "Friday is fish day, am Freitag gibt es Fisch", "we swam", "星期五见"]
    for n, text in enumerate(texts, 1):
        at = friday + timedelta(days=0 if text == "we swam" else -n)
        await keep(chats, segment(place, text, number=n, at=at), with_vectors=has_vectors)
    searching_now = search if has_vectors else replace(search, embedder=None)
    best = (await searching_now.search(seeing(place), wanted(query))).found[0]
    assert (best.stretch.first_seq, best.at.date()) == (3, friday.date())
    assert best.score >= LEAST_SCORE
    assert best.fit >= LEAST_FIT


@pytest.mark.parametrize("others", [0, FEW])
async def test_finds_a_named_person_on_a_named_day(
    chats: FirestoreChats, search: Search, key: ChatKey, others: int
) -> None:
    place, day = place_of(key), later(290)
    await keep(
        chats,
        segment(place, "we swam", number=1, at=day),
        segment(place, "a long walk", number=2, at=day, author=8, name="Bob"),
        segment(place, "we rowed", number=3, at=later(280)),
        *(segment(place, "tea", number=n, at=later(n / 9), name="Cy") for n in range(4, 4 + others)),
        with_vectors=False,
    )
    by_words = replace(search, embedder=None)
    found = (await by_words.search(seeing(place), wanted(f"what did Ann do on {day:%d %B %Y}?"))).found
    assert [one.stretch.first_seq for one in found] == [1]


async def test_shows_only_the_asked_day_of_a_segment(chats: FirestoreChats, search: Search, key: ChatKey) -> None:
    place = place_of(key)
    days = [later(n) for n in range(280, 300)]
    one = segment(place, "soup")
    said = [evolve(one.messages[0], at=at, seq=n, text=f"soup {n}") for n, at in enumerate(days, 1)]
    await keep(chats, evolve(one, messages=tuple(said)))
    asked = days[7]
    (found,) = (await search.search(seeing(place), wanted(f"what did we say on {asked:%d %B %Y}?"))).found
    assert (found.text, found.at) == ("Ann: soup 8", asked)
    (whole,) = (await search.search(seeing(place), wanted("soup"))).found
    assert whole.text.splitlines()[7] == f"{asked:%a %Y-%m-%d} Ann: soup 8"


async def test_days_in_the_question_count(chats: FirestoreChats, search: Search, key: ChatKey) -> None:
    place = place_of(key)
    await keep(chats, *(segment(place, "we went camping", number=n, at=later(20 * n)) for n in range(1, 9)))
    day = later(60)
    found = await search.search(seeing(place), wanted(f"where did we camp on {day:%Y-%m-%d}?"))
    assert found.found[0].at == day


async def test_searches_by_words_without_vectors_and_says_so(
    chats: FirestoreChats, search: Search, key: ChatKey, model_url: str
) -> None:
    place = place_of(key)
    await keep(chats, segment(place, "a dog"), with_vectors=False)
    alone = Search(segments=FirestoreSegments(chats.client))
    assert (await alone.search(seeing(place), wanted("dog"))).trouble == NO_MODEL
    async with httpx.AsyncClient(base_url=model_url, timeout=30) as script:
        await script.post("/script", json={"vectors": {"status": 503, "times": None}})
        found = await search.search(seeing(place), wanted("dog"))
        await script.delete("/script")
    assert (found.trouble, len(found.found)) == (NO_VECTOR, 1)


class WithoutWords(FirestoreSegments):
    """A store of segments whose index of terms is still being built."""

    async def matches(self, area: SearchArea, variants: Sequence[str], most: int) -> SegmentCount:
        raise StoreUnavailable("Firestore did not count segments")


async def test_searches_by_meaning_if_words_cannot_be_searched(
    chats: FirestoreChats, search: Search, key: ChatKey
) -> None:
    place = place_of(key)
    await keep(chats, *(segment(place, f"thing {n}", number=n, at=later(n)) for n in range(1, FEW + 2)))
    without = replace(search, segments=WithoutWords(chats.client))
    found = await without.search(seeing(place), wanted("thing 7"))
    assert (found.found[0].stretch.first_seq, found.trouble) == (7, NO_WORDS)
    assert found.reads <= 200
    with pytest.raises(StoreUnavailable):
        await replace(without, embedder=None).search(seeing(place), wanted("thing 7"))
    found = await search.search(seeing(place), wanted("thing 7"))
    assert (found.found[0].stretch.first_seq, found.trouble) == (7, "")
    assert found.reads <= 200


async def test_finds_nothing_without_visible_chats(search: Search) -> None:
    assert (await search.search(seeing(), wanted("dog"))).found == ()


@pytest.mark.parametrize("query", ODD)
async def test_anything_is_a_valid_query(chats: FirestoreChats, search: Search, key: ChatKey, query: str) -> None:
    await keep(chats, segment(place_of(key), "a dog 😂 東京"))
    found = await search.search(seeing(place_of(key)), wanted(query))
    assert found.reads < 40


async def test_never_finds_anything_outside_the_visible_chats(
    chats: FirestoreChats, search: Search, key: ChatKey
) -> None:
    chance = random.Random(7)
    words = ["dog", "sea", "camp", "Львів", "東京", "adopt", "trip"]
    places = [f"{place_of(key)}{n}" for n in range(6)] + [f"moss.{key.chat_id}"]
    said = [
        segment(place, " ".join(chance.choices(words, k=5)), number=n, at=later(chance.random() * 300))
        for place in places
        for n in range(1, 5)
    ]
    await keep(chats, *said)
    for _ in range(25):
        visible = replace(seeing(*chance.sample(places[:6], chance.randint(0, 4))))
        query = " ".join(chance.choices(words, k=3))
        other = chance.choice(["", "", f"conv-{chance.choice(places)}"])
        found = await search.search(
            visible, wanted(query, conversation=other, person=chance.choice(["", "", "7", "an"]))
        )
        assert {one.source.place for one in found.found} <= set(visible.places)
        assert found.reads <= 200


@pytest.mark.parametrize("places", range(NEIGHBOURS // LEAST_NEIGHBOURS + 1))
def test_bounds_the_neighbours_of_many_places(places: int) -> None:
    assert places * neighbours_of_each(places) <= NEIGHBOURS
    assert neighbours_of_each(places) >= LEAST_NEIGHBOURS


def test_one_place_may_use_all_neighbours() -> None:
    assert neighbours_of_each(0) == neighbours_of_each(1) == NEIGHBOURS
