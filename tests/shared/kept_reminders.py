"""Reminders of a room: kept, armed, and looked at."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from shared.reminders.store import FirestoreReminders, encode_reminder
from shared.values.reminder import Reminder, remind_wake, reminder_id
from tests.shared.reminding import reminder
from tests.shared.turn.room import Room


async def promised(here: Room, mark: str = "one", *, is_armed: bool = True, **fields: Any) -> Reminder:
    """A reminder of the person's in this chat, due in ten minutes unless it says otherwise, with its tick armed."""
    plain = {"chat": here.key.id, "person": here.person, "next_at": here.clock.now + timedelta(minutes=10)}
    one = reminder(id=reminder_id(here.key.id, mark), set_at=here.clock.now, **plain | fields)
    await here.house.chats.client.document(f"events/{one.id}").set(encode_reminder(one))
    wake = remind_wake(one, here.clock.now) if is_armed else None
    if wake is not None:
        await here.tick_services.queue.enqueue(wake)
    return one


async def kept(here: Room) -> Sequence[Reminder]:
    """The open reminders of the chat."""
    return await FirestoreReminders(here.house.chats.client).open_of_chat([here.key.id], 99)


async def kept_now(here: Room, one: Reminder) -> Reminder:
    """A reminder as it is kept now."""
    found = await FirestoreReminders(here.house.chats.client).find(one.id)
    assert found is not None
    return found


async def due_in(here: Room, span: timedelta, most: int = 60) -> None:
    """Run the ticks that are due within a span."""
    until = here.clock.now + span
    for _ in range(most):
        wakes = await here.queue.wakes()
        if not wakes or wakes[0].at > until:
            return
        await here.next_tick()
    raise AssertionError([wake.reason for wake in await here.queue.wakes()])
