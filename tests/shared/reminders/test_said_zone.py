"""Tests of storing a zone that somebody mentioned."""

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
from tests.shared.turn.room import Room
from tests.shared.turn.test_runner import claimed_session, runner_of


def told(people: tuple[int, ...], zone: str = "Tokyo", **fields: object) -> Plan:
    """Return a plan that keeps a zone for people, and says something after it."""
    plan = plan_of(KeepZone(id="1", zone=zone), send("2", "Noted.", ("1",)))
    tasks = tuple(PlannedTask(task=t.task, people=people).model_copy(update=fields) for t in plan.tasks)
    return evolve(plan, tasks=tasks)


async def carried_out(here: Room, plan: Plan) -> Plan:
    hold = await claimed_session(here)
    return (await runner_of(here).run(hold, plan, is_final_plan=False)).plan


async def zone_of(here: Room) -> str:
    people = runner_of(here).ports[FirestorePeople]
    return (await people.profile(here.person)).zone


async def test_stores_the_zone_and_confirms_it_first(here: Room) -> None:
    await carried_out(here, told((here.person,)))
    assert await zone_of(here) == "Asia/Tokyo"
    first, second = await here.said()
    assert first.startswith("Your time zone is Asia/Tokyo. It's ")
    assert "/zone" in first
    assert second == "Noted."


async def test_a_zone_set_by_command_takes_precedence(here: Room) -> None:
    people = runner_of(here).ports[FirestorePeople]
    await people.keep_zone(here.person, "Europe/Kyiv", here.clock.now)
    hold = await claimed_session(here)
    await runner_of(here).run(hold, told((here.person,)), is_final_plan=False)
    assert await zone_of(here) == "Europe/Kyiv"
    assert (await here.said())[0].startswith("Your time zone is Europe/Kyiv")
    events = [one.note for one in await hold.window() if isinstance(one, Event)]
    assert events == [f"your `keep-zone` was not done: {SET_BY_COMMAND}"]


async def test_in_a_group_the_confirmation_addresses_the_person(group: Room) -> None:
    await group.writes("@lull I am in Tokyo")
    plan = evolve(told((group.person,)), answers=(group.message_id,))
    done = await carried_out(group, plan)
    own = next(t for t in done.tasks if t.is_own)
    assert getattr(own.task, "reply_to", None) == group.message_id


async def test_the_same_plan_already_uses_the_new_zone(here: Room) -> None:
    day = here.clock.now + timedelta(days=30)
    schedule = {"kind": "schedule", "at": f"{day:%Y-%m-%d}T09:00", "text": "Tea."}
    await here.will_plan({"kind": "keep-zone", "zone": "Tokyo"}, schedule)
    await here.writes("I am in Tokyo. Remind me of tea.")
    while len(said := await here.said()) < 2:
        assert await here.next_tick() is not None
    assert said[0].startswith("Your time zone is Asia/Tokyo")
    assert said[1].endswith("09:00: Tea."), "the zone is the one that was just told"


async def test_a_reminder_with_a_guessed_zone_says_so_and_moves(here: Room) -> None:
    day = here.clock.now + timedelta(days=30)
    await here.will_plan({"kind": "schedule", "at": f"{day:%Y-%m-%d}T09:00", "text": "Tea."})
    await here.writes("Remind me of tea.")
    while not (said := await here.said()):
        assert await here.next_tick() is not None
    assert "09:00 (UTC)" in said[0]
    assert "I don't know your time zone, so I use UTC" in said[0]
    await carried_out(here, told((here.person,)))
    assert "now use this one" in (await here.said())[1]
    (moved,) = await FirestoreReminders(here.house.chats.client).open_of_chat([here.key.id], 9)
    assert (moved.zone, moved.is_zone_guessed) == ("Asia/Tokyo", False)
    assert moved.next_at is not None
    assert civil_of(moved.next_at, parse_zone("Asia/Tokyo")).hour == 9


async def test_does_not_ask_for_a_told_zone(here: Room) -> None:
    people = runner_of(here).ports[FirestorePeople]
    await people.keep_zone(here.person, "Europe/Kyiv", here.clock.now)
    day = here.clock.now + timedelta(days=30)
    await here.will_plan({"kind": "schedule", "at": f"{day:%Y-%m-%d}T09:00", "text": "Tea."})
    await here.writes("Remind me of tea.")
    while not (said := await here.said()):
        assert await here.next_tick() is not None
    assert said[0].endswith("09:00: Tea.")
    assert "/zone" not in said[0]


async def test_asks_for_a_guessed_zone_with_the_first_reminder_only(here: Room) -> None:
    day = here.clock.now + timedelta(days=30)
    for number, text in enumerate(("Tea.", "Coffee.")):
        await here.will_plan({"kind": "schedule", "at": f"{day:%Y-%m-%d}T09:00", "text": text})
        await here.writes(f"Remind me: {text}")
        while len(said := await here.said()) <= number:
            assert await here.next_tick() is not None
    assert ["I don't know your time zone" in one for one in said] == [True, False]
    assert said[1].endswith("09:00 (UTC): Coffee."), "it still says that it may be wrong"


async def test_offers_to_move_reminders_after_a_change_of_zone(here: Room) -> None:
    people = runner_of(here).ports[FirestorePeople]
    await people.keep_said_zone(here.person, "Europe/Kyiv", here.clock.now)
    await here.will_plan({"kind": "schedule", "every": "every day at 9", "text": "Tea."})
    await here.writes("Remind me of tea each day.")
    while not await here.said():
        assert await here.next_tick() is not None
    await carried_out(here, told((here.person,)))
    (message,) = [one for one in await here.messages() if "Asia/Tokyo" in one["text"]]
    assert message["text"].endswith("stay in their time zone, Europe/Kyiv.")
    assert [row[0]["text"] for row in message["buttons"]] == ["Move them too"]


@pytest.mark.parametrize(
    ("before", "chat", "is_told"), [("", "else", True), ("Asia/Tokyo", "else", False), ("", "", False)]
)
async def test_tells_about_reminders_in_other_chats(here: Room, before: str, chat: str, is_told: bool) -> None:
    people = runner_of(here).ports[FirestorePeople]
    await people.keep_said_zone(here.person, before, here.clock.now)
    at: Json = {"next_at": here.clock.now + timedelta(days=1), "is_armed": False}
    await promised(here, chat=chat or here.key.id, **at)
    await here.writes("I am in Tokyo")
    while not await here.said():
        assert await here.next_tick() is not None
    await carried_out(here, told((here.person,)))
    (told_now,) = [one for one in await here.said() if "Asia/Tokyo" in one]
    assert ("Reminders in other chats stay as they are" in told_now) is is_told


@pytest.mark.parametrize("chat", ["", "else"])
@pytest.mark.parametrize("kind", [ChatKind.GROUP, ChatKind.SUPERGROUP, ChatKind.DIRECT])
async def test_does_not_reveal_reminders_elsewhere_to_other_readers(here: Room, kind: ChatKind, chat: str) -> None:
    await promised(here, chat=chat or here.key.id, next_at=here.clock.now + timedelta(days=1), is_armed=False)
    hold = await claimed_session(here)
    hold.note_chat(evolve(hold.chat, kind=kind))
    await runner_of(here).run(hold, told((here.person,)), is_final_plan=False)
    (told_now,) = [one for one in await here.said() if "Asia/Tokyo" in one]
    assert "Reminders in other chats stay as they are" in told_now


async def test_a_group_sees_the_askers_zone(group: Room) -> None:
    people = runner_of(group).ports[FirestorePeople]
    await people.keep_zone(group.person, "Europe/Kyiv", group.clock.now)
    day = group.clock.now + timedelta(days=30)
    await group.will_plan({"kind": "schedule", "at": f"{day:%Y-%m-%d}T09:00", "text": "Tea."})
    await group.writes(f"@{group.house.username} remind us of tea.")
    while not (said := await group.said()):
        assert await group.next_tick() is not None
    assert said[0].endswith("09:00 (Europe/Kyiv): Tea.")


@pytest.mark.parametrize("after", [{"after": "10 minutes"}])
async def test_a_span_from_now_needs_no_zone(here: Room, after: dict[str, str]) -> None:
    await here.will_plan({"kind": "schedule", "text": "Tea.", **after})
    await here.writes("Remind me of tea.")
    while not (said := await here.said()):
        assert await here.next_tick() is not None
    assert "/zone" not in said[0]


@pytest.mark.parametrize("zone", ["Atlantis", "+2", ""])
async def test_refuses_ambiguous_zones(here: Room, zone: str) -> None:
    done = await carried_out(here, told((here.person,), zone))
    assert await zone_of(here) == ""
    assert await here.said() == ["Noted."]
    assert done.tasks[0].state is (TaskState.FAILED if zone else TaskState.DONE)


async def test_refuses_if_several_people_are_answered(here: Room) -> None:
    done = await carried_out(here, told((here.person, here.person + 1)))
    assert (await zone_of(here), done.tasks[0].why) == ("", NOT_ONE)


async def test_stores_nothing_after_outside_text(here: Room) -> None:
    done = await carried_out(here, told((here.person,), saw_outside=True))
    assert (await zone_of(here), done.tasks[0].why) == ("", TOO_FAR)
