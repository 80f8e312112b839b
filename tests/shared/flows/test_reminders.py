"""Reminders through whole ticks: set, due, said, whatever happens in between."""

from datetime import timedelta

from shared.adapters.firestore.records.reminders import decode_reminder
from shared.models.reminder import OccurrenceState, Reminder
from shared.models.update import Json
from shared.models.wake import WakeReason
from tests.shared.flows.room import Room

TEA: Json = {"kind": "schedule", "text": "Time for tea!", "after": "10 minutes"}


async def kept(here: Room) -> list[Reminder]:
    """Every reminder of the chat, open or not."""
    found = await here.house.chats.client.collection("events").get()
    reminders = [decode_reminder(one.to_dict() or {}) for one in found]
    return [one for one in reminders if one.chat == here.key.id]


async def test_a_text_is_said_at_its_time(here: Room) -> None:
    await here.will_plan(TEA)
    await here.writes("remind me in 10 minutes to make tea")
    began = here.clock.now
    while not await kept(here):
        assert await here.next_tick() is not None
    (reminder,) = await kept(here)
    assert reminder.next_at is not None
    assert timedelta(minutes=10) <= reminder.next_at - began <= timedelta(minutes=10, seconds=5)
    (confirmed,) = await here.said()
    assert confirmed.startswith("⏰")
    assert "Time for tea!" in confirmed
    ran = await here.rests()
    assert [wake.reason for wake in ran] == [WakeReason.REMIND]
    assert (await here.said())[1:] == ["Time for tea!"]
    (over,) = await kept(here)
    assert over.next_at is None
    assert over.last is not None
    assert (over.last.state, over.last.due_at) == (OccurrenceState.SENT, reminder.next_at)
    assert len(await here.asked()) == 1
