"""Tests of reminders in the Firestore emulator."""

from datetime import timedelta

from shared.chat.store.chats import FirestoreChats
from shared.chat.store.paths import event_path
from shared.reminders.store import UNREADABLE_WAITS, FirestoreReminders, encode_reminder
from shared.values.chat_key import ChatKey
from shared.values.reminder import Reminder, reminder_id
from tests.shared.examples import NOW
from tests.shared.reminding import reminder


async def kept(chats: FirestoreChats, key: ChatKey, name: str, in_minutes: int | None) -> Reminder:
    """Store a reminder in this chat, of the person whose private chat it is."""
    next_at = NOW + timedelta(minutes=in_minutes) if in_minutes is not None else None
    one = reminder(id=reminder_id(key.id, name), chat=key.id, person=key.chat_id, next_at=next_at)
    await chats.client.document(event_path(one.id)).set(encode_reminder(one))
    return one


async def test_finds_due_reminders_oldest_first(chats: FirestoreChats, key: ChatKey) -> None:
    reminders = FirestoreReminders(chats.client)
    later, first = await kept(chats, key, "a", 5), await kept(chats, key, "b", 1)
    await kept(chats, key, "c", 6)
    await kept(chats, key, "d", None)
    now = NOW + timedelta(minutes=5)
    assert await reminders.due([key.id], now, 9) == [first, later]
    assert await reminders.due([key.id], now, 1) == [first]
    other = ChatKey(agent=key.agent, chat_id=key.chat_id, topic_id=7)
    assert await reminders.due([other.id], now, 9) == []
    assert await reminders.due([other.id, key.id], now, 9) == [first, later]


async def test_lists_and_counts_open_reminders(chats: FirestoreChats, key: ChatKey) -> None:
    reminders = FirestoreReminders(chats.client)
    assert await reminders.open_count(key.agent, key.chat_id) == 0
    late, soon, over = [await kept(chats, key, name, at) for name, at in (("a", 9), ("b", 1), ("c", None))]
    assert await reminders.open_of_chat([key.id], 9) == [soon, late]
    assert await reminders.open_of_chat([key.id], 1) == [soon]
    assert await reminders.open_count(key.agent, key.chat_id) == 2
    assert await reminders.open_count("moss", key.chat_id) == 0
    assert await reminders.find(over.id) == over
    assert await reminders.find("none") is None


async def test_skips_unknown_shapes_and_checks_them_again(chats: FirestoreChats, key: ChatKey) -> None:
    reminders, now = FirestoreReminders(chats.client), NOW + timedelta(minutes=5)
    odd, other = await kept(chats, key, "a", 1), await kept(chats, key, "b", 2)
    await chats.client.document(event_path(odd.id)).update({"last": {"due_at": NOW, "at": NOW, "state": "postponed"}})
    assert await reminders.find(odd.id) is None
    assert await reminders.open_of_chat([key.id], 9) == [other]
    assert await reminders.due([key.id], now, 1) == []
    assert await reminders.due([key.id], now, 1) == [other], "it takes no other one's place"
    await chats.client.document(event_path(odd.id)).update({"last": None})
    assert [one.id for one in await reminders.due([key.id], now + UNREADABLE_WAITS, 9)] == [other.id, odd.id]
