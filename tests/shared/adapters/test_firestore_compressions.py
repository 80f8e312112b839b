"""Summaries in the real Firestore."""

import pytest

from shared.adapters.firestore_chats import FirestoreChats
from shared.adapters.firestore_compressions import FirestoreCompressions
from shared.errors import Contended
from shared.models.chat import ChatKey
from shared.models.prompt import CompressionSummary
from tests.shared.values import NOW


def summary(up_to_seq: int) -> CompressionSummary:
    return CompressionSummary(up_to_seq=up_to_seq, text=f"the first {up_to_seq}", made_at=NOW)


async def test_a_summary_replaces_the_one_that_was_seen(chats: FirestoreChats, key: ChatKey) -> None:
    store, conversation = FirestoreCompressions(chats.client), f"conv-summaries{key.chat_id}"
    nothing = await store.read(conversation)
    assert (nothing.summary, nothing.up_to_seq) == (None, 0)
    await store.replace(conversation, nothing, summary(7))
    first = await store.read(conversation)
    assert (first.summary, first.up_to_seq) == (summary(7), 7)
    await store.replace(conversation, first, summary(20))
    assert (await store.read(conversation)).summary == summary(20)
    for behind in (nothing, first):
        with pytest.raises(Contended):
            await store.replace(conversation, behind, summary(9))
    assert (await store.read(conversation)).summary == summary(20)
    assert (await store.read(f"{conversation}-other")).summary is None
