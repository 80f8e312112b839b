"""Tests of rebuilding in the Firestore emulator."""

from collections.abc import AsyncIterator

import pytest

from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.recall.matching.segmenting import segment_chat
from shared.recall.store.rebuilding import ConversationRebuild, FirestoreRebuilding, RebuildCursor
from shared.values.chat import Chat
from tests.shared.examples import NOW
from tests.shared.new_chats import entry, key_of, new_chats, talk


@pytest.fixture
async def alone(emulator: str) -> AsyncIterator[FirestoreChats]:
    """Open a new database."""
    async with new_chats() as chats:
        yield chats


async def test_lists_conversations_by_id_after_a_given_one(alone: FirestoreChats) -> None:
    first, second = [await talk(alone, number, "a", "b") for number in (1, 2)]
    rebuilding = FirestoreRebuilding(alone.client)
    found = [one async for one in rebuilding.outline("")]
    assert [(one.conversation, one.chat, one.entries) for one in found] == [
        (first, key_of(1).id, 2),
        (second, key_of(2).id, 2),
    ]
    assert [one.conversation async for one in rebuilding.outline(first)] == [second]


async def test_deletes_what_is_replaced_and_makes_the_notes_due(alone: FirestoreChats) -> None:
    conversation = await talk(alone, 1, "tea")
    client, rebuilding = alone.client, FirestoreRebuilding(alone.client)
    for path in (paths.segment_path(conversation, 7), f"{paths.observations_path(conversation)}/o"):
        await client.document(path).set({"old": True})
    chat, segments = segment_chat(Chat(key=key_of(1), conversation=conversation), [entry(1, "tea")])
    rebuilt = ConversationRebuild(
        conversation=conversation, place="p", segments=segments, start=chat.recall.segment, due_at=NOW
    )
    for _ in range(2):  # the write may be repeated
        await rebuilding.replace(rebuilt)
        assert [one.id for one in await client.collection(paths.segments_path(conversation)).get()] == ["000001"]
        assert await client.collection(paths.observations_path(conversation)).get() == []
    document = (await client.document(paths.conversation_path(conversation)).get()).to_dict() or {}
    assert (document["due_at"], document["noted_seq"], document["place"]) == (NOW, 0, "p")


async def test_keeps_segments_written_before(alone: FirestoreChats) -> None:
    conversation = await talk(alone, 1, "tea")
    client, rebuilding = alone.client, FirestoreRebuilding(alone.client)
    entries = [entry(seq, "word " * 100) for seq in (1, 2, 3)]
    chat, segments = segment_chat(Chat(key=key_of(1), conversation=conversation), entries)
    await client.document(paths.segment_path(conversation, 7)).set({"old": True})
    await rebuilding.write(segments[:2])
    rest = ConversationRebuild(
        conversation=conversation,
        place="p",
        segments=segments[2:],
        written=frozenset({1, 2}),
        start=chat.recall.segment,
        due_at=NOW,
    )
    await rebuilding.replace(rest)
    assert [int(one.id) for one in await client.collection(paths.segments_path(conversation)).get()] == [1, 2, 3]


async def test_keeps_the_cursor_until_the_end(alone: FirestoreChats) -> None:
    rebuilding = FirestoreRebuilding(alone.client)
    assert await rebuilding.cursor() is None
    cursor = RebuildCursor(started_at=NOW, beyond="conv-1", done=3)
    await rebuilding.keep_cursor(cursor)
    assert await rebuilding.cursor() == cursor
    await rebuilding.keep_cursor(None)
    assert await rebuilding.cursor() is None
