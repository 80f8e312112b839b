"""Each declared query asks for the fields that it names, and the emulator answers it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.paths import chat_path
from shared.chat.store.queries import NEWEST_UPDATE, OVERDUE, QUERIES, UNREAD, UNREAD_ANYWHERE
from shared.values.chat_key import ChatKey
from tests.shared.examples import NOW, SECOND, message_update, update_of


async def written(inbox: FirestoreInbox, key: ChatKey, update_id: int, at_s: int = 0) -> None:
    update = update_of(message_update(update_id), at=NOW + at_s * SECOND)
    envelope = replace(update.envelope, key=key)
    await inbox.add(replace(update, envelope=envelope))


async def names(query: AsyncQuery) -> list[int]:
    return [int(found.id) for found in await query.get()]


async def test_a_query_of_one_collection_filters_and_orders_there(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    for update_id, at_s in ((1, 3), (2, 1), (3, 2)):
        await written(inbox, key, update_id, at_s)
    await chats.client.document(f"chats/{key.id}/inbox/{3:020d}").update({"read": True})
    here = chats.client.document(chat_path(key))
    assert await names(UNREAD.on(here, False)) == [1, 2]
    assert await names(UNREAD.on(here, True)) == [3]
    assert await names(NEWEST_UPDATE.on(here)) == [1, 3, 2]
    counting: Any = UNREAD.on(here, False).count()  # the client's decorator hides the types
    assert (await counting.get())[0][0].value == 2


async def test_a_query_of_a_group_looks_into_every_chat(
    chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    other = ChatKey(agent="moss", chat_id=key.chat_id)
    first = 10_000_000_000 + key.chat_id
    await written(inbox, key, first, 2)
    await written(inbox, other, first + 1, 1)
    found = [d for d in await UNREAD_ANYWHERE.on(chats.client, False).get() if int(d.id) in (first, first + 1)]
    assert [d.reference.parent.parent.id for d in found] == [other.id, key.id]


def test_a_group_below_a_document_is_a_mistake(chats: FirestoreChats, key: ChatKey) -> None:
    with pytest.raises(TypeError, match="collection group inbox on the client"):
        UNREAD_ANYWHERE.on(chats.client.document(chat_path(key)), False)


@pytest.mark.parametrize("values", [(), (False, True)])
def test_each_compared_field_needs_its_value(chats: FirestoreChats, values: tuple[bool, ...]) -> None:
    with pytest.raises(ValueError, match="zip"):
        UNREAD.on(chats.client, *values)


async def test_chats_without_a_plan_are_not_overdue(chats: FirestoreChats, key: ChatKey) -> None:
    here = chats.client.document(chat_path(key))
    bound = OVERDUE.on(chats.client).where(filter=FieldFilter("due_at", "<", NOW + SECOND))
    for due_at, is_found in ((None, False), (NOW, True), (NOW + timedelta(days=1), False)):
        await here.set({"due_at": due_at})
        assert (key.id in [d.id for d in await bound.get()]) is is_found
    await here.delete()


def test_no_query_is_declared_twice() -> None:
    assert len(set(QUERIES)) == len(QUERIES)
