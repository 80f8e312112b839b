"""What one commit writes: few documents, the chat first, pages that fit."""

import json

from hypothesis import given
from hypothesis import strategies as st

from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.firestore.commits import (
    PAGE_BYTES,
    conversation_document,
    page_document,
    pages_of,
    window_document,
    write_change,
)
from shared.models.chat import Chat, ChatKey
from shared.models.message import AnyEntry
from shared.ports import Change, Left, Seen
from tests.shared.values import KEY, NOW, PROPERTY, plan_of, said, send


def entries(*sizes: int) -> tuple[AnyEntry, ...]:
    return tuple(said("x" * size, message_id=n).model_copy(update={"seq": n}) for n, size in enumerate(sizes, 1))


def weight_of(entry: AnyEntry) -> int:
    return len(json.dumps(entry.model_dump(mode="json")))


@PROPERTY
@given(st.lists(st.integers(0, PAGE_BYTES), max_size=12))
def test_pages_hold_everything_in_order_and_no_two_could_be_one(sizes: list[int]) -> None:
    given_entries = entries(*sizes)
    pages = list(pages_of(given_entries))
    assert tuple(entry for page in pages for entry in page) == given_entries
    weights = [sum(map(weight_of, page)) for page in pages]
    assert all(len(page) == 1 or weight <= PAGE_BYTES for page, weight in zip(pages, weights, strict=True))
    firsts = [weight_of(page[0]) for page in pages[1:]]
    assert all(weight + first > PAGE_BYTES for weight, first in zip(weights, firsts, strict=False))


def test_documents_say_where_they_belong() -> None:
    chat = Chat(key=KEY, seq=7, conversation="conv-1", title="T")
    change = Change(chat=chat, window=entries(1, 1))
    assert page_document(entries(1, 1))["first_seq"] == 1
    window = window_document(change)
    assert (window["seq"], window["conversation"], len(window["entries"])) == (7, "conv-1", 2)
    found = conversation_document(chat, NOW)
    assert (found["chat_title"], found["entries"], found["updated_at"]) == ("T", 7, NOW)
    assert "title" not in found, "a title that was found for it is not to be lost"


def test_a_conversation_is_called_what_a_person_called_it() -> None:
    found = conversation_document(Chat(key=KEY, named="Tea", model="big"), None)
    assert (found["title"], found["manually_named"], found["model"], found["updated_at"]) == ("Tea", True, "big", None)


async def test_a_conversation_that_is_left_is_written_whole_beside_the_new_one(
    chats: FirestoreChats, key: ChatKey
) -> None:
    held = await chats.see(key)
    old = held.chat.model_copy(update={"seq": 2, "conversation": "conv-1"})
    left = Left(chat=old, entries=entries(1, 1), newest_at=NOW)
    new = held.chat.model_copy(update={"seq": 1, "conversation": "conv-2"})
    batch = chats.client.batch()
    change = Change(chat=new, entries=entries(1), left=(left,))
    write_change(batch, chats.client, held, change, "stamp")
    names = [write.update.name.rpartition("/documents/")[2] for write in batch._write_pbs]
    assert names == [
        f"chats/{key.id}",
        "conversations/conv-1/messages/0000000001",
        "conversations/conv-1",
        "conversations/conv-2/messages/0000000001",
    ]


async def test_the_first_write_is_the_chat_and_nothing_is_written_that_did_not_change(
    chats: FirestoreChats, key: ChatKey
) -> None:
    held = await chats.see(key)
    batch = chats.client.batch()
    write_change(batch, chats.client, held, Change(chat=held.chat), "stamp")
    assert len(batch) == 1
    await batch.commit()
    version = (await chats.see(key)).version
    batch = chats.client.batch()
    chat = held.chat.model_copy(update={"seq": 2, "conversation": "conv-1"})
    change = Change(
        chat=chat, read=(1, 2), entries=entries(1, 1), window=entries(1), plan=plan_of(send()), conversation=True
    )
    write_change(batch, chats.client, Seen(chat=chat, version=version), change, "stamp")
    names = [write.update.name.rpartition("/documents/")[2] for write in batch._write_pbs]
    assert names == [
        f"chats/{key.id}",
        f"chats/{key.id}/inbox/{1:020d}",
        f"chats/{key.id}/inbox/{2:020d}",
        "conversations/conv-1/messages/0000000001",
        f"chats/{key.id}/window/current",
        "conversations/conv-1",
        f"plans/{key.id}",
    ]
    assert batch._write_pbs[0].current_document.update_time == version
