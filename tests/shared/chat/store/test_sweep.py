"""The sweep's searches in the emulator. They have their own database, since they find all chats in it."""

import itertools
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.base.errors import StoreRefused
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.queries import Cursor, PageQuery
from shared.chat.store.sweep import FirestoreSweep
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.media import MediaKind, MediaRef
from tests.shared.examples import NOW, SECOND, message_update, update_of
from tests.shared.media.sendings import kept, reference

_numbers = itertools.count(1)
BEFORE = NOW + timedelta(hours=1)


@pytest.fixture
async def new_chats(emulator: str) -> AsyncIterator[FirestoreInbox]:
    """Make a project that only this test uses."""
    inbox = FirestoreInbox(f"sweep-{os.getpid()}-{next(_numbers)}")
    yield inbox
    inbox.client.close()  # type: ignore[no-untyped-call]


@pytest.fixture
async def left(new_chats: FirestoreInbox) -> AsyncIterator[FirestoreSweep]:
    sweep = FirestoreSweep(str(new_chats.client.project))
    yield sweep
    sweep.client.close()  # type: ignore[no-untyped-call]


def key_of(number: int) -> ChatKey:
    return ChatKey(agent="lull", chat_id=number)


async def arrives(new_chats: FirestoreInbox, chat: int, update_id: int, at_s: int) -> None:
    update = update_of(message_update(update_id), at=NOW + at_s * SECOND)
    envelope = replace(update.envelope, key=key_of(chat))
    await new_chats.add(replace(update, envelope=envelope))


def wanted(limit: int = 10, beyond: Cursor | None = None, until_s: int = 3600) -> PageQuery:
    return PageQuery(before=NOW + until_s * SECOND, beyond=beyond, limit=limit)


async def test_unread_updates_of_all_chats_come_oldest_first(new_chats: FirestoreInbox, left: FirestoreSweep) -> None:
    for chat, update_id, at_s in ((1, 11, 5), (2, 21, 1), (1, 12, 3), (3, 31, 9)):
        await arrives(new_chats, chat, update_id, at_s)
    found = await left.unread(wanted(until_s=9))
    assert [(one.chat, one.cursor.at) for one in found] == [
        (key_of(chat).id, NOW + at_s * SECOND) for chat, at_s in ((2, 1), (1, 3), (1, 5))
    ]
    assert found[0].cursor.path == f"chats/{key_of(2).id}/inbox/{21:020d}"


async def test_finds_no_update_that_was_read(new_chats: FirestoreInbox, left: FirestoreSweep) -> None:
    await arrives(new_chats, 1, 1, 0)
    await new_chats.client.document(f"chats/{key_of(1).id}/inbox/{1:020d}").update({"read": True})
    assert await left.unread(wanted()) == []


async def test_a_mark_goes_on_between_updates_of_one_moment(new_chats: FirestoreInbox, left: FirestoreSweep) -> None:
    for chat in range(5):
        await arrives(new_chats, chat, 1, 0)
    everything = await left.unread(wanted())
    assert len(everything) == 5
    first = await left.unread(wanted(limit=2))
    rest = await left.unread(wanted(beyond=first[-1].cursor))
    assert [*first, *rest] == everything
    assert await left.unread(wanted(beyond=everything[-1].cursor)) == []


async def test_a_mark_holds_when_its_document_is_gone(new_chats: FirestoreInbox, left: FirestoreSweep) -> None:
    for chat in range(3):
        await arrives(new_chats, chat, 1, chat)
    first, *rest = await left.unread(wanted())
    await new_chats.client.document(first.cursor.path).delete()
    assert await left.unread(wanted(beyond=first.cursor)) == rest


async def test_chats_whose_plan_should_have_gone_on_are_overdue(
    new_chats: FirestoreInbox, left: FirestoreSweep
) -> None:
    for number, due_at in ((1, NOW + SECOND), (2, NOW), (3, None), (4, BEFORE)):
        chat = Chat(key=key_of(number), due_at=due_at)
        await new_chats.client.document(f"chats/{chat.key.id}").set(chat.model_dump())
    found = await left.overdue(wanted())
    assert [one.chat for one in found] == [key_of(2).id, key_of(1).id]
    assert await left.overdue(wanted(beyond=found[0].cursor)) == found[1:]


async def test_a_file_is_looked_for_by_the_moment_from_which_it_is_to_be_looked_after(left: FirestoreSweep) -> None:
    photo = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u1")
    assert not await left.has_files(NOW)
    await kept(left.client, reference(photo, key_of(1), try_at=NOW - SECOND, is_open=False))
    await kept(left.client, reference(photo, key_of(2), try_at=NOW + SECOND))
    assert not await left.has_files(NOW)
    assert await left.has_files(NOW + 2 * SECOND)


async def test_marks_are_kept_and_replaced(left: FirestoreSweep) -> None:
    assert await left.cursors() == {}
    cursors = {"unread": Cursor(at=NOW, path="chats/x/inbox/1"), "overdue": Cursor(at=NOW + SECOND, path="chats/y")}
    await left.keep_cursors(cursors)
    assert await left.cursors() == cursors
    await left.keep_cursors({})
    assert await left.cursors() == {}


async def test_a_firestore_that_refuses_says_what(left: FirestoreSweep) -> None:
    with pytest.raises(StoreRefused, match="will never find what was left over"):
        await left.unread(PageQuery(before=NOW, beyond=None, limit=-1))


async def test_conversations_that_rest_are_found_and_those_of_another_model(
    new_chats: FirestoreInbox, left: FirestoreSweep
) -> None:
    for name, due_at, model in (
        ("b", NOW - SECOND, "old"),
        ("a", NOW - 2 * SECOND, "new"),
        ("c", NOW + SECOND, ""),
        ("d", None, "older"),
    ):
        document = new_chats.client.document(f"conversations/conv-{name}")
        await document.set({"due_at": due_at, "embedding_model": model})
    await new_chats.client.document("conversations/conv-e").set({"agent": "of before"})
    assert [one.conversation for one in await left.due(NOW, 10)] == ["conv-a", "conv-b"]
    assert [one.due_at for one in await left.due(NOW, 1)] == [NOW - 2 * SECOND]
    assert sorted(await left.embedded_by_another("new", 10)) == ["conv-b", "conv-d"]
    assert len(await left.embedded_by_another("new", 1)) == 1


async def test_a_reminder_of_no_chat_keeps_no_other_from_being_found(left: FirestoreSweep) -> None:
    for name, told in (("a", {"chat": 5}), ("b", {"chat": None}), ("c", {}), ("d", {"chat": key_of(1).id})):
        await left.client.document(f"events/{name}").set({"next_at": NOW, **told})
    assert [one.chat for one in await left.reminders(wanted())] == ["5", "None", "None", key_of(1).id]
