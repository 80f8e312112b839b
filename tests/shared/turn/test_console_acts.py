"""Orders of the console that are no commands: a lost message is sent again, an offer is accepted or declined."""

from datetime import timedelta
from typing import Any

from shared.chat.store.layout import encode_chat
from shared.chat.store.paths import chat_path
from shared.console.incidents import ConsoleIncidents
from shared.console.orders import give_order
from shared.console.services import ConsoleServices
from shared.reminders.commands.reminders import CANCEL, NOW, PUT_OFF
from shared.tasks.plan import DeliveryState, TaskState
from shared.values.console_order import ACCEPT_OFFER, DECLINE_OFFER, RESEND, ConsoleOrder
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.reminder import OccurrenceState, button_reference
from tests.shared.fixtures import OpenHarness
from tests.shared.kept_reminders import due_in, kept, kept_now, promised
from tests.shared.turn.harness import ChatHarness

OWNER = 4_711
OFFER = "x" * 16
ZONE = {"kind": "keep-zone", "zone": "Asia/Tokyo"}


async def order(harness: ChatHarness, command: str, argument: str, owner: int = OWNER, **fields: Any) -> None:
    """Give an order, with a new id unless `id` is given."""
    client, jobs = harness.backend.chats.client, harness.queue.jobs()
    services = ConsoleServices(client=client, project="", clock=harness.clock, jobs=jobs)
    named = {"id": f"{command} {argument} {harness.key.id}"[:80], **fields}
    await give_order(services, harness.key, ConsoleOrder(owner=owner, command=command, argument=argument, **named))


async def lost(harness: ChatHarness, *tasks: dict[str, Any]) -> str:
    """Have the first message's answer cut off; return the argument of the order that sends it again."""
    await harness.will_plan(*(tasks or ({"kind": "send", "text": "One."},)))
    await harness.fault(kind="cut_after", method="sendMessage", times=1)
    await harness.writes("hi")
    await harness.rests()
    (incident,) = await harness.incidents()
    found = await ConsoleIncidents(harness.backend.chats.client).lost_delivery(incident)
    assert found is not None
    assert found.text == "One."
    assert found.key == harness.key
    return found.id


async def test_a_lost_message_is_sent_again_once_as_the_agents_own(harness: ChatHarness) -> None:
    named = await lost(harness)
    assert await harness.said() == ["One."], "it had arrived"
    for _ in range(2):
        await order(harness, RESEND, named, id="resend-one")
        await harness.rests()
    assert await harness.said() == ["One.", "One."]
    again = (await harness.transcript())[-1]
    assert (again["type"], again["text"], again["is_by_lull"]) == ("message", "One.", False)
    task = (await harness.plan()).tasks[0]
    assert (task.state, task.deliveries[0].state) == (TaskState.DONE, DeliveryState.CONFIRMED)


async def test_only_the_lost_part_of_a_long_message_is_sent(harness: ChatHarness) -> None:
    long = "One.\n\n" + "word " * 900
    await harness.will_plan({"kind": "send", "text": long})
    await harness.fault(kind="cut_after", method="sendMessage", times=1)
    await harness.writes("hi")
    await harness.rests()
    (incident,) = await harness.incidents()
    found = await ConsoleIncidents(harness.backend.chats.client).lost_delivery(incident)
    assert found is not None
    before = await harness.said()
    await order(harness, RESEND, found.id)
    await harness.rests()
    assert await harness.said() == [*before, before[0]]


async def test_a_message_of_a_replaced_plan_is_sent_again(harness: ChatHarness) -> None:
    named = await lost(harness, {"kind": "send", "text": "One."}, {"kind": "wait", "seconds": 600})
    await harness.will_plan({"kind": "send", "text": "Two."})
    await harness.writes("and?")
    await harness.next_tick()
    await harness.next_tick()
    await order(harness, RESEND, named)
    await due_in(harness, timedelta(seconds=30))
    assert (await harness.said())[-1] == "One."


async def test_whenever_the_tick_dies_it_is_sent_again_at_most_once(open_harness: OpenHarness) -> None:
    for step in range(12):
        harness = await open_harness()
        named = await lost(harness)
        harness.steps.at = len(harness.steps.taken) + step
        await order(harness, RESEND, named)
        await harness.rests()
        assert await harness.said() in (["One."], ["One.", "One."]), step
        assert await harness.backend.chats.unread_count(harness.key) == 0, step
        assert (await harness.document()).claim.lease is None, step


async def test_what_is_not_there_any_more_is_not_sent(harness: ChatHarness) -> None:
    named = await lost(harness)
    for argument in ("", "no-plan 0 1", named.replace(" 0 ", " 7 "), f"{named}x"):
        await order(harness, RESEND, argument)
    await harness.rests()
    assert await harness.said() == ["One."]
    assert await harness.backend.chats.unread_count(harness.key) == 0


async def offered(harness: ChatHarness, person: int) -> None:
    """Have a talk, and an offer of a button to a person."""
    await harness.will_plan({"kind": "send", "text": "Hello."})
    await harness.writes("hi")
    await harness.rests()
    chat = await harness.document()
    said = next(one for one in reversed(await harness.transcript()) if one["author"]["is_agent"])
    board = Keyboard(
        id=OFFER,
        choices=("Save the time zone Asia/Tokyo",),
        people=(person,),
        message_id=said["message_id"],
        effects=(ZONE,),
        seq=said["seq"],
        at=harness.clock.now,
    )
    chat = evolve(chat, talk=evolve(chat.talk, keyboards=(board,)))
    await harness.backend.chats.client.document(chat_path(harness.key)).set(encode_chat(chat))


async def test_the_owner_accepts_an_offer_without_a_tap(harness: ChatHarness) -> None:
    await offered(harness, harness.person)
    await order(harness, ACCEPT_OFFER, f"{OFFER}:0", owner=harness.person, is_press=True)
    await harness.rests()
    chose = next(one for one in await harness.transcript() if one["text"].startswith("chose:"))
    assert (chose["text"], chose["author"]["id"]) == ("chose: Save the time zone Asia/Tokyo", harness.person)
    assert any("Asia/Tokyo" in text for text in await harness.said())
    assert (await harness.document()).talk.keyboards == ()


async def test_an_offer_to_somebody_else_is_not_accepted_for_them(harness: ChatHarness) -> None:
    await offered(harness, harness.person)
    await order(harness, ACCEPT_OFFER, f"{OFFER}:0", is_press=True)
    await harness.rests()
    assert await harness.said() == ["Hello."]
    assert [one.id for one in (await harness.document()).talk.keyboards] == [OFFER]


async def test_a_declined_offer_loses_its_buttons(harness: ChatHarness) -> None:
    await offered(harness, harness.person)
    await order(harness, DECLINE_OFFER, OFFER, is_press=True)
    await harness.rests()
    assert (await harness.document()).talk.keyboards == ()
    assert await harness.said() == ["Hello."]
    assert all(one["type"] != "press" for one in await harness.transcript())


async def test_the_owner_cancels_and_puts_off_reminders_of_others(harness: ChatHarness) -> None:
    one, other = await promised(harness), await promised(harness, "two", text="Water!")
    assert other.next_at is not None
    await order(harness, "reminders", f"{CANCEL}{one.id}", is_press=True)
    later = button_reference(other, other.next_at)
    await order(harness, "reminders", f"d{later}", is_press=True)
    await due_in(harness, timedelta(seconds=5))
    cancelled = await kept_now(harness, one)
    assert (cancelled.next_at, cancelled.last and cancelled.last.state) == (None, OccurrenceState.CANCELLED)
    (left,) = await kept(harness)
    assert left.next_at == other.next_at + PUT_OFF["d"]
    assert await harness.said() == []


async def test_a_reminder_is_sent_now_and_a_repeating_one_keeps_its_times(harness: ChatHarness) -> None:
    start = (harness.clock.now + timedelta(minutes=10)).replace(tzinfo=None)
    once = await promised(harness)
    daily = await promised(harness, "two", text="Water!", rule="FREQ=DAILY", start=start.isoformat())
    for one in (once, daily):
        assert one.next_at is not None
        await order(harness, "reminders", f"{NOW}{button_reference(one, one.next_at)}", is_press=True)
    await due_in(harness, timedelta(seconds=30))
    assert sorted(await harness.said()) == ["Time for tea!", "Water!"]
    assert [(one.words, one.next_at) for one in await kept(harness)] == [("Water!", daily.next_at)]
