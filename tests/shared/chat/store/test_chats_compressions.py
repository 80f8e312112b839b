"""Summaries in the real Firestore."""

import pytest

from shared.base.errors import WriteConflict
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.conversations import PAGES_AT_ONCE, CompressionSnapshot, FirestoreCompressions
from shared.chat.store.paths import compression_path
from shared.chat.store.transcripts import encode_page
from shared.values.chat_key import ChatKey
from shared.values.message import AnyEntry
from shared.values.prompt import CompressionSummary
from tests.shared.examples import ANN, NOW, said


def summary(up_to_seq: int) -> CompressionSummary:
    return CompressionSummary(up_to_seq=up_to_seq, text=f"the first {up_to_seq}", made_at=NOW)


async def test_a_summary_replaces_the_one_that_was_seen(chats: FirestoreChats, key: ChatKey) -> None:
    store, conversation = FirestoreCompressions(chats.client), f"conv-summaries{key.chat_id}"
    nothing = await store.read(conversation)
    assert (nothing.summary, nothing.up_to_seq) == (None, 0)
    await store.replace(conversation, nothing, summary(7))
    first = await store.read(conversation)
    assert (first.summary, first.up_to_seq) == (summary(7), 7)
    second = await store.replace(conversation, first, summary(20))
    assert await store.read(conversation) == second == CompressionSnapshot(summary=summary(20), version=second.version)
    third = await store.replace(conversation, second, summary(21))
    assert await store.read(conversation) == third
    for behind in (nothing, first):
        with pytest.raises(WriteConflict):
            await store.replace(conversation, behind, summary(9))
    assert (await store.read(conversation)).summary == summary(21)
    assert (await store.read(f"{conversation}-other")).summary is None
    # the owner reads the replaced ones, too
    assert await store.newest(conversation, 9) == [summary(21), summary(20), summary(7)]
    assert await store.newest(conversation, 2) == [summary(21), summary(20)]


async def test_a_transcript_is_read_from_the_middle_of_any_page(chats: FirestoreChats, key: ChatKey) -> None:
    store, conversation = FirestoreCompressions(chats.client), f"conv-pages{key.chat_id}"
    assert await store.entries_after(conversation, 0) == ()
    pages = chats.client.collection(f"conversations/{conversation}/messages")
    count = PAGES_AT_ONCE + 5
    for first in range(1, 3 * count, 3):
        page: tuple[AnyEntry, ...] = tuple(said(f"day {n}", ANN, n, seq=n) for n in range(first, first + 3))
        await pages.document(str(first)).set(encode_page(page))
    for after in (0, 1, 2, 3, 100, 101):
        begun = after // 3 * 3 + 1
        found = [entry.seq for entry in await store.entries_after(conversation, after)]
        assert found == list(range(after + 1, min(3 * count, begun + 3 * PAGES_AT_ONCE + 2) + 1))
    assert await store.entries_after(conversation, 3 * count) == ()


async def test_an_entry_that_only_a_newer_lull_knows_is_left_out(chats: FirestoreChats, key: ChatKey) -> None:
    store, conversation = FirestoreCompressions(chats.client), f"conv-newer{key.chat_id}"
    entries = tuple(said(f"day {n}", ANN, n, seq=n) for n in (1, 2, 3))
    page = encode_page(entries)
    page["entries"][1]["type"] = "poll"
    await chats.client.document(f"conversations/{conversation}/messages/1").set(page)
    assert await store.entries_after(conversation, 0) == (entries[0], entries[2])


async def test_one_that_only_a_newer_lull_knows_is_made_anew(chats: FirestoreChats, key: ChatKey) -> None:
    store, conversation = FirestoreCompressions(chats.client), f"conv-odd{key.chat_id}"
    await chats.client.document(compression_path(conversation)).set({"up_to_seq": "many", "text": 5})
    odd = await store.read(conversation)
    assert odd.summary is None
    await store.replace(conversation, odd, summary(7))
    assert (await store.read(conversation)).summary == summary(7)
