"""Recall is built from one client and one channel."""

from typing import Any

from shared.chat.store.chats import FirestoreChats
from shared.values.chat_key import ChatKey
from shared.values.place import Asker
from shared.values.recalled import RecallQuery
from shared.wiring.stores import recall_of
from tests.shared.examples import NOW

NOBODY: Any = None


async def test_without_a_model_of_vectors_it_searches_by_words_and_says_so(chats: FirestoreChats, key: ChatKey) -> None:
    recall = recall_of(None, chats.client, NOBODY)
    asker = Asker(chat=key, places=(f"{key.agent}.{key.chat_id}",))
    found = await recall.search(asker, RecallQuery(query="tea", now=NOW, zone=NOW.tzinfo or NOBODY))
    assert found.found == ()
    assert "words alone" in found.trouble
