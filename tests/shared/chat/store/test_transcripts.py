"""In the emulator: reading whole transcripts, and finding those that changed since a cursor."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from google.cloud.firestore_v1.vector import Vector as FirestoreVector

from shared.base.errors import TranscriptUnreadable
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.queries import Cursor, PageQuery
from shared.chat.store.transcripts import PAGES_AT_ONCE, FirestoreTranscripts
from shared.values.transcript import Vector
from tests.shared.examples import NOW
from tests.shared.new_chats import key_of, new_chats, talk


@pytest.fixture
async def chats(emulator: str) -> AsyncIterator[FirestoreChats]:
    """Make a database for this test."""
    async with new_chats() as found:
        yield found


@pytest.fixture
async def transcripts(chats: FirestoreChats) -> AsyncIterator[FirestoreTranscripts]:
    found = FirestoreTranscripts(str(chats.client.project))
    yield found
    found.client.close()  # type: ignore[no-untyped-call]


def wanted(beyond: Cursor | None = None, limit: int = 10) -> PageQuery:
    return PageQuery(before=datetime.now(UTC) + timedelta(hours=1), beyond=beyond, limit=limit)


def ids(cursors: object) -> list[str]:
    return [cursor.path.removeprefix("conversations/") for cursor in cursors]  # type: ignore[attr-defined]


async def test_a_conversation_is_read_whole(chats: FirestoreChats, transcripts: FirestoreTranscripts) -> None:
    texts = [f"{n}" for n in range(PAGES_AT_ONCE + 1)]
    conversation = await talk(chats, 1, *texts)
    await talk(chats, 1, "more")
    found = await transcripts.read(conversation)
    assert found is not None
    assert [getattr(entry, "text", "") for entry in found.entries] == [*texts, "more"]
    assert [entry.seq for entry in found.entries] == list(range(1, len(texts) + 2))
    assert found.chat == (await chats.see(key_of(1))).chat
    assert found.document["chat"] == key_of(1).id
    assert found.document["entries"] == found.seq


async def test_a_vector_stays_one(chats: FirestoreChats, transcripts: FirestoreTranscripts) -> None:
    conversation = await talk(chats, 1, "hi")
    await chats.client.document(f"conversations/{conversation}").update({"embedding": FirestoreVector([0.5, 1.0])})
    found = await transcripts.read(conversation)
    assert found is not None
    assert found.document["embedding"] == Vector([0.5, 1.0])
    assert isinstance(found.document["embedding"], Vector)


async def test_a_conversation_that_there_is_not(transcripts: FirestoreTranscripts) -> None:
    assert await transcripts.read("conv-none") is None


async def test_an_unknown_shape_is_said_without_what_is_in_it(
    chats: FirestoreChats, transcripts: FirestoreTranscripts
) -> None:
    await chats.client.document("conversations/conv-odd").set({"chat": "x"})
    page = chats.client.document("conversations/conv-odd/messages/0000000001")
    await page.set({"first_seq": 1, "entries": [{"type": "message", "text": "a secret"}]})
    with pytest.raises(TranscriptUnreadable, match="the stored conversation conv-odd has an unknown form") as refused:
        await transcripts.read("conv-odd")
    assert "a secret" not in str(refused.value)


async def test_lists_changes_in_the_order_of_the_servers_clock(
    chats: FirestoreChats, transcripts: FirestoreTranscripts
) -> None:
    made = [await talk(chats, number, "hi") for number in (3, 1, 2)]
    everything = await transcripts.changed_since(wanted())
    assert ids(everything) == made
    assert everything[0].at > NOW  # a message may be much older than the write
    first = await transcripts.changed_since(wanted(limit=1))
    assert ids(await transcripts.changed_since(wanted(first[0]))) == made[1:]
    await talk(chats, 3, "hello")
    assert ids(await transcripts.changed_since(wanted(everything[-1]))) == [made[0]]
    early = PageQuery(before=everything[0].at, beyond=None, limit=9)
    assert await transcripts.changed_since(early) == []


async def test_every_conversation_is_listed_or_one_chats(
    chats: FirestoreChats, transcripts: FirestoreTranscripts
) -> None:
    made = [await talk(chats, number, "hi") for number in (1, 2, 3)]
    assert [found async for found in transcripts.every()] == sorted(made)
    assert [found async for found in transcripts.every(key_of(2).id)] == [made[1]]
    assert [found async for found in transcripts.every("none")] == []


async def test_each_archive_has_its_cursor(transcripts: FirestoreTranscripts) -> None:
    cursor = Cursor(at=NOW, path="conversations/conv-1")
    await transcripts.keep_cursor("gs://a/b", cursor)
    assert await transcripts.cursor("gs://a/b") == cursor
    assert await transcripts.cursor("s3://a/b") is None
