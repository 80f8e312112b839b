"""Tests of segments in the Firestore emulator."""

from datetime import timedelta

import pytest

from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.recall.store.segments import FirestoreSegments, SearchArea, encode_segment
from shared.values.chat_key import ChatKey
from shared.values.place import VisibleChats, place_of
from shared.values.segment import Segment, SegmentMessage
from tests.shared.examples import NOW

EAST, NORTH = (1.0, 0.0), (0.0, 1.0)


@pytest.fixture
def segments(chats: FirestoreChats) -> FirestoreSegments:
    return FirestoreSegments(chats.client)


async def kept(
    chats: FirestoreChats, key: ChatKey, number: int, terms: str, vector: tuple[float, ...] = (), model: str = "m"
) -> Segment:
    """Store a segment of a conversation of this chat."""
    message = SegmentMessage(
        seq=number, message_id=number, at=NOW + timedelta(days=number), author=7, name="Ann", text=terms, terms=terms
    )
    one = Segment(
        conversation=f"conv-{key.chat_id}",
        number=number,
        agent=key.agent,
        place=place_of(key),
        chat=key.id,
        messages=(message,),
        embedding_model=model if vector else "",
    )
    path = paths.segment_path(one.conversation, number)
    await chats.client.document(path).set(encode_segment(one, vector))
    return one


def other(key: ChatKey) -> ChatKey:
    return ChatKey(agent=key.agent, chat_id=-key.chat_id)


def area(*keys: ChatKey) -> SearchArea:
    return SearchArea(visible=VisibleChats(agent=keys[0].agent, places=tuple(map(place_of, keys))))


async def test_counts_and_finds_terms_in_visible_places(
    chats: FirestoreChats, segments: FirestoreSegments, key: ChatKey
) -> None:
    first = await kept(chats, key, 1, "sea swim")
    newer = await kept(chats, key, 2, "sea")
    elsewhere = await kept(chats, other(key), 1, "sea")
    assert await segments.with_terms(area(key), ("sea",), 9) == [newer, first]
    assert await segments.with_terms(area(key), ("sea",), 1) == [newer]
    assert await segments.with_terms(area(key), ("swim", "none"), 9) == [first]
    assert set(await segments.with_terms(area(key, other(key)), ("sea",), 9)) == {newer, first, elsewhere}
    assert (await segments.matches(area(key), ("sea",), 9)).segments == 2
    assert (await segments.matches(area(key), ("sea",), 2)).segments is None
    assert (await segments.count(area(key), 9)).segments == 2
    assert (await segments.count(area(key), 9)).reads == 1
    assert await segments.newest(area(key), 1) == [newer]


async def test_a_conversation_and_a_time_narrow_what_is_found(
    chats: FirestoreChats, segments: FirestoreSegments, key: ChatKey
) -> None:
    first, newer = await kept(chats, key, 1, "sea"), await kept(chats, key, 2, "sea")
    seen = area(key).visible
    whole = SearchArea(visible=seen, conversation=first.conversation)
    assert await segments.with_terms(whole, ("sea",), 9) == [newer, first]
    assert (await segments.count(whole, 9)).segments == 2
    later = whole.within(NOW + timedelta(days=1, hours=1), NOW + timedelta(days=9))
    assert await segments.with_terms(later, ("sea",), 9) == [newer]
    assert await segments.newest(area(key).within(NOW, NOW + timedelta(days=2)), 9) == [first]


async def test_splits_many_terms_and_places_into_several_queries(
    chats: FirestoreChats, segments: FirestoreSegments, key: ChatKey
) -> None:
    found = await kept(chats, key, 1, "sea")
    places = tuple(f"none.{n}" for n in range(10))
    wide = SearchArea(visible=VisibleChats(agent=key.agent, places=(*places, place_of(key))))
    assert found in await segments.with_terms(wide, ("none", "no", "sea"), 200)
    assert (await segments.matches(wide, ("sea",), 9)).segments == 1
    assert (
        len(list(segments._matching(wide, ("a", "b", "c", "d")))) == 3
    )  # 10 places and 3 terms, the 4th, the 11th place


async def test_neighbours_have_the_same_model_and_are_visible(
    chats: FirestoreChats, segments: FirestoreSegments, key: ChatKey
) -> None:
    near, far = await kept(chats, key, 1, "a", EAST), await kept(chats, key, 2, "b", NORTH)
    await kept(chats, key, 3, "c", (1.0, 0.0, 0.0), "another")
    await kept(chats, other(key), 1, "d", EAST)
    found = await segments.nearest(area(key), EAST, "m", 9)
    assert [(one.segment, round(one.similarity, 3)) for one in found] == [(near, 1.0), (far, 0.0)]
    within = SearchArea(visible=area(key).visible, conversation=near.conversation)
    assert [one.segment for one in await segments.nearest(within, EAST, "m", 1)] == [near]


async def test_conversations_are_found_by_their_abbreviations(
    chats: FirestoreChats, segments: FirestoreSegments, key: ChatKey
) -> None:
    from google.cloud.firestore_v1.vector import Vector

    name = f"conv-{key.chat_id}"
    document = {"place": place_of(key), "agent": key.agent, "title": "Sea", "topics": ["swimming"], "chat_title": "Us"}
    vector = {"embedding": Vector(EAST), "embedding_model": "m"}
    await chats.client.document(paths.conversation_path(name)).set(document | vector)
    (found,) = await segments.nearest_conversations(area(key), EAST, "m", 9)
    assert (found.conversation, found.title, found.topics, found.chat_title) == (name, "Sea", ("swimming",), "Us")
    assert found.similarity == pytest.approx(1)
    known = await segments.conversations([name, "conv-none"])
    assert set(known) == {name}


async def test_the_owner_sees_all_places_of_their_agent_only(
    chats: FirestoreChats, segments: FirestoreSegments, key: ChatKey
) -> None:
    mine = ChatKey(agent=f"agent{key.chat_id}", chat_id=key.chat_id)
    one = await kept(chats, mine, 1, "sea", EAST)
    await kept(chats, key, 2, "sea", EAST)
    everything = SearchArea(visible=VisibleChats(agent=mine.agent, places=(), is_everything=True))
    assert await segments.with_terms(everything, ("sea",), 9) == [one]
    assert [near.segment for near in await segments.nearest(everything, EAST, "m", 9)] == [one]
    assert (await segments.count(everything, 9)).segments == 1
    assert await segments.newest(everything, 9) == [one]


async def test_skips_segments_of_unknown_shape(
    chats: FirestoreChats, segments: FirestoreSegments, key: ChatKey
) -> None:
    one = await kept(chats, key, 1, "sea")
    path = paths.segment_path(one.conversation, 2)
    await chats.client.document(path).set(encode_segment(one) | {"messages": '[{"odd": 1}]'})
    assert await segments.with_terms(area(key), ("sea",), 9) == [one]
