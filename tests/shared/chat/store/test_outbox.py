"""The outbox in the real Firestore."""

from datetime import timedelta

from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.outbox import KEPT, FirestoreOutbox, StoredNotice, encode_notice
from shared.chat.store.writes import CommitContext, WriteMode
from shared.reminders.store import FirestoreReminders
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.outbox import OutboxNotice
from tests.shared.examples import NOW
from tests.shared.paused_queue import PausedQueue


def notice(key: ChatKey) -> OutboxNotice:
    return OutboxNotice(id=f"r{key.chat_id}", agent="lull", chat=key.id, person=7, text="done", next_at=NOW, set_at=NOW)


async def test_a_notice_is_kept_once_and_its_chat_is_woken(
    chats: FirestoreChats, key: ChatKey, paused_queue: PausedQueue
) -> None:
    outbox, told = FirestoreOutbox(chats.client), notice(key)
    assert not await outbox.has(told.id)
    await outbox.tell(told, paused_queue.ticks())
    await outbox.tell(evolve(told, text="again"), paused_queue.ticks())
    assert await outbox.has(told.id)
    kept = (await chats.client.document(paths.event_path(told.id)).get()).to_dict() or {}
    assert (kept["text"], kept["open_in"]) == ("done", key.id)
    (wake,) = await paused_queue.wakes()
    assert wake.key == key


async def test_a_notice_is_due_as_reminders_are_and_is_none_of_them(chats: FirestoreChats, key: ChatKey) -> None:
    reminders, told = FirestoreReminders(chats.client), notice(key)
    await chats.client.document(paths.event_path(told.id)).set(encode_notice(told))
    assert await reminders.due([key.id], NOW, 9) == [told]
    assert await reminders.to_come([key.id], 9) == [told]
    assert await reminders.find_due(told.id) == told
    assert await reminders.open_of_chat([key.id], 9) == []
    assert await reminders.find(told.id) is None
    assert await reminders.open_count(told.agent, told.person) == 0


def test_one_that_is_over_is_in_no_list_and_goes_after_a_month(key: ChatKey) -> None:
    commit = CommitContext(chat=Chat(key=key), at=NOW)
    (still,) = StoredNotice(notice(key)).writes(commit)
    (over,) = StoredNotice(evolve(notice(key), next_at=None)).writes(commit)
    assert (still.mode, still.document["open_in"], "expires_at" in still.document) == (WriteMode.SET, key.id, False)
    assert (over.document["open_in"], over.document["open_for"]) == (None, None)
    assert over.document["expires_at"] == NOW + KEPT == NOW + timedelta(days=30)
