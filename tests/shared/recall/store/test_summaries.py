"""Tests of summaries in the Firestore emulator."""

from datetime import timedelta

import pytest

from shared.chat.store import paths
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.transcripts import encode_page
from shared.recall.store.summaries import ChatSummary, EntryRange, FirestoreSummaries, SummarySpan
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from tests.shared.examples import NOW
from tests.shared.recall.talks import lines


@pytest.fixture
def store(inbox: FirestoreInbox) -> FirestoreSummaries:
    return FirestoreSummaries(inbox.client)


async def test_a_stored_summary_is_shown_only_after_show(store: FirestoreSummaries, key: ChatKey) -> None:
    ranges = (EntryRange(conversation="conv-1", first_seq=1, last_seq=3),)
    one = ChatSummary(text="A week.", made_at=NOW, ranges=ranges, holds_outside=True)
    assert (await store.last_summaries(key.id), await store.shown_summaries(key.id)) == ({}, {})
    await store.client.document(paths.shown_summaries_path(key.id)).set({"shown": "?"})
    assert await store.shown_summaries(key.id) == {}
    await store.keep(key.id, SummarySpan.WEEK, one)
    assert (await store.last_summaries(key.id), await store.shown_summaries(key.id)) == ({SummarySpan.WEEK: one}, {})
    await store.show(key.id, SummarySpan.WEEK, one)
    month = ChatSummary(text="A month.", made_at=NOW)
    await store.show(key.id, SummarySpan.MONTH, month)
    assert await store.shown_summaries(key.id) == {SummarySpan.WEEK: evolve(one, ranges=()), SummarySpan.MONTH: month}


async def test_finds_conversations_of_a_span_newest_first(store: FirestoreSummaries, key: ChatKey) -> None:
    for n, days in enumerate((1, 3, 9)):
        name = f"conv-{key.chat_id}-{n}"
        document = {"chat": key.id, "updated_at": NOW - timedelta(days=days), "abbreviation": f"A{n}", "entries": n}
        await store.client.document(paths.conversation_path(name)).set(document)
    found = await store.conversations([key.id], NOW - timedelta(days=7), 10)
    assert [(one.id[-1], one.abbreviation, one.entries) for one in found] == [("0", "A0", 0), ("1", "A1", 1)]


async def test_returns_the_newest_entries_oldest_first(store: FirestoreSummaries, key: ChatKey) -> None:
    conversation = f"conv-{key.chat_id}-x"
    for entry in lines("a", "b", "c"):
        await store.client.document(paths.page_path(conversation, entry.seq)).set(encode_page([entry]))
    assert [entry.seq for entry in await store.newest_entries(conversation)] == [1, 2, 3]


async def test_reads_a_chat_by_id(store: FirestoreSummaries, key: ChatKey) -> None:
    assert await store.chat(key.id) is None
    await store.client.document(paths.chat_path(key)).set(Chat(key=key).model_dump())
    assert await store.chat(key.id) == Chat(key=key)
    await store.client.document(paths.chat_path(key)).update({"seq": "odd"})
    assert await store.chat(key.id) is None
