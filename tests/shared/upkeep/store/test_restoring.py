"""Restoring into a database of the emulator."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from google.cloud.firestore_v1.vector import Vector as FirestoreVector

from shared.chat.store.chats import FirestoreChats
from shared.chat.store.transcripts import FirestoreTranscripts
from shared.upkeep.store.restoring import COMMIT_PAGES, PAGE_ENTRIES, FirestoreRestoring
from shared.values.chat import Chat, ChatClaim, CurrentConversation
from shared.values.transcript import Transcript, Vector
from tests.shared.chat.transcripts import exchange
from tests.shared.new_chats import entry, key_of, new_chats, talk


@pytest.fixture
async def chats(emulator: str) -> AsyncIterator[FirestoreChats]:
    """Make a database for this test."""
    async with new_chats() as found:
        yield found


@pytest.fixture
async def restoring(chats: FirestoreChats) -> AsyncIterator[FirestoreRestoring]:
    found = FirestoreRestoring(str(chats.client.project))
    yield found
    found.client.close()  # type: ignore[no-untyped-call]


async def read(chats: FirestoreChats, conversation: str) -> Transcript | None:
    transcripts = FirestoreTranscripts(str(chats.client.project))
    found = await transcripts.read(conversation)
    transcripts.client.close()  # type: ignore[no-untyped-call]
    return found


async def test_a_database_is_empty_until_there_is_a_chat_or_a_conversation(
    chats: FirestoreChats, restoring: FirestoreRestoring
) -> None:
    await chats.client.document("incidents/x").set({"kind": "x"})
    assert await restoring.is_empty()
    assert await restoring.add(exchange("Hi"))
    assert not await restoring.is_empty()


async def test_a_chat_alone_makes_it_one_in_use(restoring: FirestoreRestoring) -> None:
    assert await restoring.add_chat(Chat(key=key_of(1)))
    assert not await restoring.is_empty()


async def test_a_long_transcript_is_restored_as_it_was(chats: FirestoreChats, restoring: FirestoreRestoring) -> None:
    count = PAGE_ENTRIES * COMMIT_PAGES + 1
    entries = tuple(entry(seq, f"{seq}") for seq in range(1, count + 1))
    transcript = replace(exchange("Hi"), entries=entries, chat=None)
    assert await restoring.add(transcript)
    assert await read(chats, transcript.conversation) == transcript
    chat = Chat(key=key_of(1), conversation=transcript.conversation, talk=CurrentConversation(seq=count))
    assert await chats.window(chat, 3) == entries[-3:]  # no window was restored: it is made of the transcript


async def test_what_is_there_is_not_written_over(chats: FirestoreChats, restoring: FirestoreRestoring) -> None:
    conversation = await talk(chats, 1, "Hi", "Hello!", "How are you?")
    before, chat = await read(chats, conversation), await chats.see(key_of(1))
    assert not await restoring.add(exchange("Another", conversation=conversation))
    assert not await restoring.add_chat(Chat(key=key_of(1), claim=ChatClaim(generation=99)))
    assert (await read(chats, conversation), await chats.see(key_of(1))) == (before, chat)


async def test_one_that_was_cut_off_is_repeated(chats: FirestoreChats, restoring: FirestoreRestoring) -> None:
    transcript = replace(exchange("Hi", "Hello!"), chat=None)
    assert await restoring.add(transcript)
    await chats.client.document(f"conversations/{transcript.conversation}").delete()  # its pages are there
    assert await restoring.add(transcript)
    assert await read(chats, transcript.conversation) == transcript


async def test_a_vector_is_one_again(chats: FirestoreChats, restoring: FirestoreRestoring) -> None:
    transcript = exchange("Hi")
    await restoring.add(replace(transcript, document={**transcript.document, "embedding": Vector([0.5])}))
    stored = await chats.client.document(f"conversations/{transcript.conversation}").get()
    assert stored.get("embedding") == FirestoreVector([0.5])
