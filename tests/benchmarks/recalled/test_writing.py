"""Conversations are written as ticks write them."""

from benchmarks.recall import embedding
from benchmarks.recalled.conversations import read
from benchmarks.recalled.writing import Turn, messages_in, rest_conversations, store, write_talk
from local.cloud import LocalCloud
from local.gemini import hashed
from shared.chat.store.chats import FirestoreChats
from shared.recall.store.segments import FirestoreSegments, SearchArea
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.place import VisibleChats, place_of
from tests.benchmarks.recalled.sample import SAMPLE


async def test_each_session_is_a_conversation_that_is_found_by_words_and_vectors(
    chats: FirestoreChats, cloud: LocalCloud
) -> None:
    key = ChatKey(agent="lull", chat_id=-77_001)
    (talk,) = read(SAMPLE)
    turns = await write_talk(chats, key, talk, noted=True)
    names = list(dict.fromkeys(turn.conversation for turn in turns.values()))
    assert len(names) == 3
    assert turns["D2:3"] == Turn(names[1], 3)
    async with embedding(cloud.model_url, hashed.NAME) as embedder:
        await rest_conversations(chats.client, names, embedder)
    area = SearchArea(visible=VisibleChats(agent=key.agent, places=(place_of(key),)))
    segments = FirestoreSegments(chats.client)
    (door,) = await segments.with_terms(area, ("door",), 9)
    assert (door.conversation, door.embedding_model, door.last_seq) == (names[0], hashed.NAME, 4)
    (noted,) = await segments.with_terms(area, ("injur",), 9)
    assert [note.text for note in noted.notes] == ["Tom is injured and does no work on ladders."]
    assert len(messages_in([talk])) == 10
    await store(chats.client, [(evolve(door, notes=()), ())])
