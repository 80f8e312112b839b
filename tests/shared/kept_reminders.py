"""Reminders of a room: kept, armed, and looked at."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from shared.reminders.store import FirestoreReminders, encode_reminder
from shared.values.reminder import Reminder, remind_wake, reminder_id
from tests.shared.reminding import reminder
from tests.shared.turn.harness import ChatHarness


async def promised(harness: ChatHarness, mark: str = "one", *, is_armed: bool = True, **fields: Any) -> Reminder:
    """Store a reminder of the person in this chat, by default due in ten minutes, and arm its tick."""
    plain = {"chat": harness.key.id, "person": harness.person, "next_at": harness.clock.now + timedelta(minutes=10)}
    one = reminder(id=reminder_id(harness.key.id, mark), set_at=harness.clock.now, **plain | fields)
    await harness.backend.chats.client.document(f"events/{one.id}").set(encode_reminder(one))
    wake = remind_wake(one, harness.clock.now) if is_armed else None
    if wake is not None:
        await harness.tick_services.queue.enqueue(wake)
    return one


async def kept(harness: ChatHarness) -> Sequence[Reminder]:
    """List the open reminders of the chat."""
    return await FirestoreReminders(harness.backend.chats.client).open_of_chat([harness.key.id], 99)


async def kept_now(harness: ChatHarness, one: Reminder) -> Reminder:
    """Read the current state of a reminder."""
    found = await FirestoreReminders(harness.backend.chats.client).find(one.id)
    assert found is not None
    return found


async def due_in(harness: ChatHarness, span: timedelta, most: int = 60) -> None:
    """Run the ticks that are due within a span."""
    until = harness.clock.now + span
    for _ in range(most):
        wakes = await harness.queue.wakes()
        if not wakes or wakes[0].at > until:
            return
        await harness.next_tick()
    raise AssertionError([wake.reason for wake in await harness.queue.wakes()])
