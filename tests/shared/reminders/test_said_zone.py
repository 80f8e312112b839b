"""Tests of storing a zone that a person mentioned."""

from datetime import timedelta

import pytest

from shared.chat.store.people import FirestorePeople
from shared.reminders.said_zone import NOT_ONE, SET_BY_COMMAND
from shared.reminders.store import FirestoreReminders
from shared.reminders.tasks.keep_zone import KeepZone
from shared.reminders.times.civil import civil_of
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.turn.effects import TOO_FAR
from shared.values.agent import parse_zone
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.message import Event
from shared.values.update import Json
from tests.shared.examples import plan_of, send
from tests.shared.kept_reminders import promised
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session, runner_of


def told(people: tuple[int, ...], zone: str = "Tokyo", **fields: object) -> Plan:
    """Return a plan that keeps a zone for people, and says something after it."""
    plan = plan_of(KeepZone(id="1", zone=zone), send("2", "Noted.", ("1",)))
    tasks = tuple(PlannedTask(task=t.task, people=people).model_copy(update=fields) for t in plan.tasks)
    return evolve(plan, tasks=tasks)


async def carried_out(harness: ChatHarness, plan: Plan) -> Plan:
    hold = await claimed_session(harness)
    return (await runner_of(harness).run(hold, plan, is_final_plan=False)).plan


async def zone_of(harness: ChatHarness) -> str:
    people = runner_of(harness).ports[FirestorePeople]
    return (await people.profile(harness.person)).zone


async def test_stores_the_zone_and_confirms_it_first(harness: ChatHarness) -> None:
    await carried_out(harness, told((harness.person,)))
    assert await zone_of(harness) == "Asia/Tokyo"
    first, second = await harness.said()
    assert first.startswith("Your time zone is Asia/Tokyo. It's ")
    assert "/zone" in first
    assert second == "Noted."


async def test_a_zone_set_by_command_takes_precedence(harness: ChatHarness) -> None:
    people = runner_of(harness).ports[FirestorePeople]
    await people.keep_zone(harness.person, "Europe/Kyiv", harness.clock.now)
    hold = await claimed_session(harness)
    await runner_of(harness).run(hold, told((harness.person,)), is_final_plan=False)
    assert await zone_of(harness) == "Europe/Kyiv"
    assert (await harness.said())[0].startswith("Your time zone is Europe/Kyiv")
    events = [one.note for one in await hold.window() if isinstance(one, Event)]
    assert events == [f"your `keep-zone` was not done: {SET_BY_COMMAND}"]


async def test_in_a_group_the_confirmation_addresses_the_person(group: ChatHarness) -> None:
    await group.writes("@lull I am in Tokyo")
    plan = evolve(told((group.person,)), answers=(group.message_id,))
    done = await carried_out(group, plan)
    own = next(t for t in done.tasks if t.is_own)
    assert getattr(own.task, "reply_to", None) == group.message_id


async def test_the_same_plan_already_uses_the_new_zone(harness: ChatHarness) -> None:
    day = harness.clock.now + timedelta(days=30)
    schedule = {"kind": "schedule", "at": f"{day:%Y-%m-%d}T09:00", "text": "Tea."}
    await harness.will_plan({"kind": "keep-zone", "zone": "Tokyo"}, schedule)
    await harness.writes("I am in Tokyo. Remind me of tea.")
    while len(said := await harness.said()) < 2:
        assert await harness.next_tick() is not None
    assert said[0].startswith("Your time zone is Asia/Tokyo")
    assert said[1].endswith("09:00: Tea."), "the zone is the one that was just told"


async def test_a_reminder_with_a_guessed_zone_says_so_and_moves(harness: ChatHarness) -> None:
    day = harness.clock.now + timedelta(days=30)
    await harness.will_plan({"kind": "schedule", "at": f"{day:%Y-%m-%d}T09:00", "text": "Tea."})
    await harness.writes("Remind me of tea.")
    while not (said := await harness.said()):
        assert await harness.next_tick() is not None
    assert "09:00 (UTC)" in said[0]
    assert "I don't know your time zone, so I use UTC" in said[0]
    await carried_out(harness, told((harness.person,)))
    assert "now use this one" in (await harness.said())[1]
    (moved,) = await FirestoreReminders(harness.backend.chats.client).open_of_chat([harness.key.id], 9)
    assert (moved.zone, moved.is_zone_guessed) == ("Asia/Tokyo", False)
    assert moved.next_at is not None
    assert civil_of(moved.next_at, parse_zone("Asia/Tokyo")).hour == 9


async def test_does_not_ask_for_a_told_zone(harness: ChatHarness) -> None:
    people = runner_of(harness).ports[FirestorePeople]
    await people.keep_zone(harness.person, "Europe/Kyiv", harness.clock.now)
    day = harness.clock.now + timedelta(days=30)
    await harness.will_plan({"kind": "schedule", "at": f"{day:%Y-%m-%d}T09:00", "text": "Tea."})
    await harness.writes("Remind me of tea.")
    while not (said := await harness.said()):
        assert await harness.next_tick() is not None
    assert said[0].endswith("09:00: Tea.")
    assert "/zone" not in said[0]


async def test_asks_for_a_guessed_zone_with_the_first_reminder_only(harness: ChatHarness) -> None:
    day = harness.clock.now + timedelta(days=30)
    for number, text in enumerate(("Tea.", "Coffee.")):
        await harness.will_plan({"kind": "schedule", "at": f"{day:%Y-%m-%d}T09:00", "text": text})
        await harness.writes(f"Remind me: {text}")
        while len(said := await harness.said()) <= number:
            assert await harness.next_tick() is not None
    assert ["I don't know your time zone" in one for one in said] == [True, False]
    assert said[1].endswith("09:00 (UTC): Coffee."), "it still says that it may be wrong"


async def test_offers_to_move_reminders_after_a_change_of_zone(harness: ChatHarness) -> None:
    people = runner_of(harness).ports[FirestorePeople]
    await people.keep_said_zone(harness.person, "Europe/Kyiv", harness.clock.now)
    await harness.will_plan({"kind": "schedule", "every": "every day at 9", "text": "Tea."})
    await harness.writes("Remind me of tea each day.")
    while not await harness.said():
        assert await harness.next_tick() is not None
    await carried_out(harness, told((harness.person,)))
    (message,) = [one for one in await harness.messages() if "Asia/Tokyo" in one["text"]]
    assert message["text"].endswith("stay in their time zone, Europe/Kyiv.")
    assert [row[0]["text"] for row in message["buttons"]] == ["Move them too"]


@pytest.mark.parametrize(
    ("before", "chat", "is_told"), [("", "else", True), ("Asia/Tokyo", "else", False), ("", "", False)]
)
async def test_tells_about_reminders_in_other_chats(
    harness: ChatHarness, before: str, chat: str, is_told: bool
) -> None:
    people = runner_of(harness).ports[FirestorePeople]
    await people.keep_said_zone(harness.person, before, harness.clock.now)
    at: Json = {"next_at": harness.clock.now + timedelta(days=1), "is_armed": False}
    await promised(harness, chat=chat or harness.key.id, **at)
    await harness.writes("I am in Tokyo")
    while not await harness.said():
        assert await harness.next_tick() is not None
    await carried_out(harness, told((harness.person,)))
    (told_now,) = [one for one in await harness.said() if "Asia/Tokyo" in one]
    assert ("Reminders in other chats stay as they are" in told_now) is is_told


@pytest.mark.parametrize("chat", ["", "else"])
@pytest.mark.parametrize("kind", [ChatKind.GROUP, ChatKind.SUPERGROUP, ChatKind.DIRECT])
async def test_does_not_reveal_reminders_elsewhere_to_other_readers(
    harness: ChatHarness, kind: ChatKind, chat: str
) -> None:
    await promised(harness, chat=chat or harness.key.id, next_at=harness.clock.now + timedelta(days=1), is_armed=False)
    hold = await claimed_session(harness)
    hold.note_chat(evolve(hold.chat, kind=kind))
    await runner_of(harness).run(hold, told((harness.person,)), is_final_plan=False)
    (told_now,) = [one for one in await harness.said() if "Asia/Tokyo" in one]
    assert "Reminders in other chats stay as they are" in told_now


async def test_a_group_sees_the_askers_zone(group: ChatHarness) -> None:
    people = runner_of(group).ports[FirestorePeople]
    await people.keep_zone(group.person, "Europe/Kyiv", group.clock.now)
    day = group.clock.now + timedelta(days=30)
    await group.will_plan({"kind": "schedule", "at": f"{day:%Y-%m-%d}T09:00", "text": "Tea."})
    await group.writes(f"@{group.backend.username} remind us of tea.")
    while not (said := await group.said()):
        assert await group.next_tick() is not None
    assert said[0].endswith("09:00 (Europe/Kyiv): Tea.")


@pytest.mark.parametrize("after", [{"after": "10 minutes"}])
async def test_a_span_from_now_needs_no_zone(harness: ChatHarness, after: dict[str, str]) -> None:
    await harness.will_plan({"kind": "schedule", "text": "Tea.", **after})
    await harness.writes("Remind me of tea.")
    while not (said := await harness.said()):
        assert await harness.next_tick() is not None
    assert "/zone" not in said[0]


@pytest.mark.parametrize("zone", ["Atlantis", "+2", ""])
async def test_refuses_ambiguous_zones(harness: ChatHarness, zone: str) -> None:
    done = await carried_out(harness, told((harness.person,), zone))
    assert await zone_of(harness) == ""
    assert await harness.said() == ["Noted."]
    assert done.tasks[0].state is (TaskState.FAILED if zone else TaskState.DONE)


async def test_refuses_if_several_people_are_answered(harness: ChatHarness) -> None:
    done = await carried_out(harness, told((harness.person, harness.person + 1)))
    assert (await zone_of(harness), done.tasks[0].why) == ("", NOT_ONE)


async def test_stores_nothing_after_outside_text(harness: ChatHarness) -> None:
    done = await carried_out(harness, told((harness.person,), saw_outside=True))
    assert (await zone_of(harness), done.tasks[0].why) == ("", TOO_FAR)
