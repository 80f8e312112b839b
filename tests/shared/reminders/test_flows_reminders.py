"""Tests of reminders through whole ticks."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from shared.chat.store.paths import event_path
from shared.chat.store.people import FirestorePeople
from shared.reminders.store import decode_reminder
from shared.values.message import Author
from shared.values.reminder import OccurrenceState, Reminder
from shared.values.update import Json
from shared.values.wake import WakeReason
from tests.shared.examples import message_update
from tests.shared.kept_reminders import due_in, kept, promised
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.harness import ChatHarness, HarnessBackend, make_harness
from tests.stories.play import Model

TEA: Json = {"kind": "schedule", "text": "Time for tea!", "after": "10 minutes"}


async def every(harness: ChatHarness) -> list[Reminder]:
    """Return every reminder of the chat, open or not."""
    found = await harness.backend.chats.client.collection("events").get()
    documents = [one.to_dict() or {} for one in found]
    return [decode_reminder(one) for one in documents if one.get("chat") == harness.key.id]


async def test_sends_a_text_at_its_time(harness: ChatHarness) -> None:
    await harness.will_plan(TEA)
    await harness.writes("remind me in 10 minutes to make tea")
    began = harness.clock.now
    while not await every(harness):
        assert await harness.next_tick() is not None
    (reminder,) = await every(harness)
    assert reminder.next_at is not None
    assert timedelta(minutes=10) <= reminder.next_at - began <= timedelta(minutes=10, seconds=5)
    (confirmed,) = await harness.said()
    assert confirmed.startswith("⏰")
    assert "Time for tea!" in confirmed
    ran = await harness.rests()
    assert [wake.reason for wake in ran] == [WakeReason.REMIND]
    assert (await harness.said())[1:] == ["Time for tea!"]
    (over,) = await every(harness)
    assert over.next_at is None
    assert over.last is not None
    assert (over.last.state, over.last.due_at) == (OccurrenceState.SENT, reminder.next_at)
    assert len(await harness.asked()) == 1


async def test_a_weekly_time_follows_the_askers_zone(
    shared_backend: HarnessBackend, paused_queue: PausedQueue, script: Model
) -> None:
    """In a group with two zones, people give times by their own clocks, and the confirmation names the zone."""
    harness = await make_harness(shared_backend, paused_queue, script, people=1, zone="Europe/Berlin")
    ann, bob = harness.person, *harness.others
    people = FirestorePeople(harness.backend.chats.client)
    await people.keep_zone(bob, "America/New_York", harness.clock.now)
    friday: Json = {"kind": "schedule", "text": "Stand-up!", "every": "friday at 17:00"}
    for person in (ann, bob):
        await harness.will_plan(friday)
        await harness.writes(f"@{harness.backend.username} remind us every Friday at 17:00", **{"from": person})
        await due_in(harness, timedelta(minutes=1))
    berlin, new_york = sorted(await kept(harness), key=lambda one: one.person != ann)
    assert (berlin.zone, new_york.zone) == ("Europe/Berlin", "America/New_York")
    for one in (berlin, new_york):
        assert one.next_at is not None
        civil = one.next_at.astimezone(ZoneInfo(one.zone))
        assert (civil.weekday(), civil.hour, civil.minute) == (4, 17, 0)
        assert one.rule == "FREQ=WEEKLY;BYDAY=FR"
    confirmed = [text for text in await harness.said() if text.startswith("⏰")]
    assert ["Europe/Berlin" in text for text in confirmed] == [True, False]
    assert all("Friday" in text and "17:00" in text for text in confirmed)
    first = berlin.next_at
    assert first is not None
    while harness.clock.now < first + timedelta(days=7):
        await harness.next_tick()
    said = [text for text in await harness.said() if text.startswith("Stand-up!")]
    assert len(said) in {3, 4}


async def test_an_instruction_that_an_outside_text_led_to_waits_for_a_tap(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "schedule", "instruction": "Look again.", "after": "10 minutes"})
    forward = message_update(77, "look again in ten minutes", Author(id=harness.person, name="Guest"))
    forward["message"]["forward_origin"] = {"type": "hidden_user", "sender_user_name": "Somebody", "date": 1}
    await harness.take(forward)
    await harness.rests()
    assert [each for each in await every(harness) if each.instruction] == []
    assert (await harness.plan()).outside
    assert "Look again." in (await harness.said())[-1], "it is offered by a button"


async def test_a_waiting_confirmation_does_not_replace_another(harness: ChatHarness) -> None:
    await harness.will_plan(TEA)
    await harness.fault(kind="429", method="sendMessage", times=1, retry_after=20)
    await harness.writes("remind me of tea")
    await due_in(harness, timedelta(seconds=5))
    await harness.will_plan({**TEA, "text": "Time for coffee!"})
    await harness.writes("and of coffee")
    await due_in(harness, timedelta(minutes=1))
    tea, coffee = [text for text in await harness.said() if text.startswith("⏰")]
    assert "Time for tea!" in tea
    assert "Time for coffee!" in coffee


async def test_an_unreadable_reminder_blocks_nothing(harness: ChatHarness) -> None:
    odd = await promised(harness, "odd")
    await promised(harness, "milk", text="Time for milk!")
    await harness.backend.chats.client.document(event_path(odd.id)).update({"rule": 5})
    await due_in(harness, timedelta(minutes=11))
    assert await harness.said() == ["Time for milk!"]
    await harness.will_plan({"kind": "send", "text": "Hello."})
    await harness.writes("hello?")
    await harness.rests()
    assert (await harness.said())[1:] == ["Hello."]
