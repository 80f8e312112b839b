"""Tests of changing reminders by talking."""

from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from shared.chat.store.paths import event_path
from shared.reminders.store import encode_reminder
from shared.values.evolve import evolve
from shared.values.message import Author
from shared.values.reminder import OccurrenceState, Reminder
from shared.values.update import Json
from tests.shared.examples import message_update
from tests.shared.fixtures import OpenHarness
from tests.shared.kept_reminders import due_in, promised
from tests.shared.reminders.test_flows_reminders import every
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.watched import Killed

PUT_OFF: Json = {"kind": "change-reminder", "what": "put-off"}
CHANGE: Json = {"kind": "change-reminder", "what": "change"}
CANCEL: Json = {"kind": "change-reminder", "what": "cancel"}
WEEKLY: Json = {"rule": "FREQ=WEEKLY;BYDAY=MO", "start": "2026-01-05T09:00:00"}
UNKNOWN = "I can't find that reminder here. Send /reminders to see the upcoming ones."
GONE = "This reminder is already over."


def soon(harness: ChatHarness, hours: int = 1) -> datetime:
    return (harness.clock.now + timedelta(hours=hours)).replace(microsecond=0)


async def weekly(harness: ChatHarness, **fields: Any) -> Reminder:
    """Return a reminder of every Monday at nine."""
    return await promised(harness, "bins", text="Take the bins out", next_at=soon(harness, 48), **WEEKLY, **fields)


async def asked(harness: ChatHarness, *tasks: Json, **more: Any) -> None:
    """Write as a person, let the model plan these tasks, and run those that are due now."""
    await harness.will_plan(*tasks)
    await harness.writes("lull, about that reminder", **more)
    await due_in(harness, timedelta(seconds=30))


async def only(harness: ChatHarness) -> Reminder:
    (found,) = [one for one in await every(harness) if one.next_at is not None]
    return found


async def offered(harness: ChatHarness) -> Json:
    return [m for m in await harness.messages() if m.get("buttons")][-1]


async def pressed(harness: ChatHarness, message: Json, **more: Any) -> None:
    await harness.presses(message, 0, **more)
    await due_in(harness, timedelta(seconds=30))


@pytest.mark.parametrize(
    ("task", "later"),
    [
        # it comes in an hour
        ({**PUT_OFF, "after": "2 hours"}, timedelta(hours=3)),
        ({**PUT_OFF, "at": "in 2 hours"}, timedelta(hours=2)),
        ({**CHANGE, "after": "3 hours"}, timedelta(hours=3)),
    ],
)
async def test_moves_a_one_time_reminder_and_tells_the_old_time(
    harness: ChatHarness, task: Json, later: timedelta
) -> None:
    tea = await promised(harness, "tea", text="Make tea", next_at=soon(harness))
    before = harness.clock.now
    await asked(harness, {**task, "reminder": tea.short_id})
    moved = await only(harness)
    assert (moved.id, moved.text, moved.rule) == (tea.id, "Make tea", "")
    assert moved.next_at is not None
    assert later <= moved.next_at - before <= later + timedelta(minutes=1)
    (told,) = await harness.said()
    assert told.startswith("⏰ ")
    assert ": Make tea\n\nBefore: " in told
    await harness.rests()
    assert (await harness.said())[1:] == ["Make tea"]


async def test_names_days_and_omits_a_told_zone(harness: ChatHarness) -> None:
    await harness.writes("/zone Kyiv")
    await due_in(harness, timedelta(seconds=30))
    zone = "Europe/Kyiv"
    day = harness.by_day(zone) + timedelta(days=1)
    at = datetime.combine(day, time(9), ZoneInfo(zone)).astimezone(UTC)
    tea = await promised(harness, "tea", text="Make tea", next_at=at, start=f"{day}T09:00:00", zone=zone)
    await asked(harness, {**CHANGE, "reminder": tea.short_id, "at": "tomorrow at 10:30"})
    assert (await harness.said())[-1] == "⏰ Tomorrow at 10:30: Make tea\n\nBefore: Tomorrow at 09:00"


async def test_asks_once_for_a_guessed_zone(harness: ChatHarness) -> None:
    harness.by_day("UTC")
    bread = await promised(harness, "bread", text="The bread", next_at=soon(harness))
    await asked(harness, {**PUT_OFF, "reminder": bread.short_id, "after": "2 hours"})
    assert not (await only(harness)).is_zone_guessed, "a span is right in any zone"
    for at in ("tomorrow at 9", "tomorrow at 10"):
        await asked(harness, {**PUT_OFF, "reminder": bread.short_id, "at": at})
        assert (await only(harness)).is_zone_guessed
    told = (await harness.said())[-3:]
    assert ["I don't know your time zone" in one for one in told] == [False, True, False]
    assert told[2].startswith("⏰ Tomorrow at 10:00 (UTC): The bread")
    await harness.writes("/zone Tokyo")
    await due_in(harness, timedelta(seconds=30))
    moved = await only(harness)
    assert (moved.zone, moved.is_zone_guessed) == ("Asia/Tokyo", False)


async def test_puts_off_only_the_next_time_of_a_repeating_reminder(harness: ChatHarness) -> None:
    bins = await weekly(harness)
    await asked(harness, {**PUT_OFF, "reminder": bins.short_id, "after": "3 days"})
    once, rest = sorted(
        (one for one in await every(harness) if one.next_at is not None), key=lambda one: bool(one.rule)
    )
    assert (once.rule, rest.rule, rest.id) == ("", WEEKLY["rule"], bins.id)
    assert once.next_at is not None
    assert bins.next_at is not None
    assert rest.next_at is not None
    assert rest.next_at > bins.next_at
    assert "Before: every week: Monday" in (await harness.said())[-1]


async def test_cancels_a_one_time_reminder_at_once(harness: ChatHarness) -> None:
    tea = await promised(harness, "tea", text="Make *tea*", next_at=soon(harness))
    await asked(harness, {**CANCEL, "reminder": tea.short_id})
    (over,) = await every(harness)
    assert over.next_at is None
    assert over.last is not None
    assert over.last.state is OccurrenceState.CANCELLED
    assert await harness.said() == ["Cancelled: Make *tea*"]
    await harness.rests()
    assert len(await harness.said()) == 1


BINS, PAPER, MONDAYS = "Take the bins out", "Take the paper out", "FREQ=WEEKLY;BYDAY=MO"


@pytest.mark.parametrize(
    ("task", "label", "rule", "text"),
    [
        (CANCEL, "Cancel: Take the bins out (every week: Monday", None, ""),
        (CHANGE | {"text": PAPER}, "(before: Take the bins out, every week: Monday", MONDAYS, PAPER),
        (CHANGE | {"at": "18:30"}, "to: Take the bins out, every week: Monday, 18:30", MONDAYS, BINS),
        (
            CHANGE | {"every": "FREQ=WEEKLY;BYDAY=TU"},
            "to: Take the bins out, every week: Tuesday, 09:00",
            "FREQ=WEEKLY;BYDAY=TU",
            BINS,
        ),
        (CHANGE | {"every": "day", "at": "08:00"}, "to: Take the bins out, every day, 08:00", "FREQ=DAILY", BINS),
    ],
)
async def test_confirms_by_a_button_if_a_rule_or_words_are_lost(
    harness: ChatHarness, task: Json, label: str, rule: str | None, text: str
) -> None:
    bins = await weekly(harness)
    await asked(harness, {"kind": "send", "text": "There you are."}, {**task, "reminder": bins.short_id})
    assert await only(harness) == bins
    ask = await offered(harness)
    assert ask["text"].startswith("Tap the button if you want this:")
    assert label in ask["text"]
    assert len(ask["buttons"]) == 1, "nothing came from outside, so there is nothing to lift"
    assert "outside sources" not in ask["text"]
    await pressed(harness, ask)
    (now,) = await every(harness)
    assert (now.rule if now.next_at else None) == rule
    assert not text or now.text == text
    assert not now.saw_outside
    told = (await harness.said())[-1]
    assert told.startswith("⏰ " if rule else "Cancelled: Take the bins out")
    assert len(await harness.asked()) == 1, "no model is asked whether a press counts"


async def test_confirms_new_words_of_a_one_time_reminder(harness: ChatHarness) -> None:
    tea = await promised(harness, "tea", text="Make tea", next_at=soon(harness))
    await asked(harness, {**CHANGE, "reminder": tea.short_id, "text": "Make coffee"})
    assert (await only(harness)).text == "Make tea"
    await pressed(harness, await offered(harness))
    changed = await only(harness)
    assert (changed.text, changed.next_at) == ("Make coffee", tea.next_at)
    assert "Before: " in (await harness.said())[-1]
    assert (await harness.said())[-1].endswith(": Make tea")


@pytest.mark.parametrize("name", ["zzzzz", "x", "the one of tomorrow"])
async def test_an_unknown_reminder_fails_without_a_false_claim(harness: ChatHarness, name: str) -> None:
    tea = await promised(harness, "tea", text="Make tea", next_at=soon(harness))
    await asked(
        harness,
        {**CANCEL, "reminder": name},
        {"kind": "send", "text": "It is cancelled."},
    )
    assert await only(harness) == tea
    assert await harness.said() == [UNKNOWN]
    events = [entry["note"] for entry in await harness.transcript() if entry["type"] == "event"]
    assert any("`change-reminder` was not done" in note for note in events)


@pytest.mark.parametrize("name", ["Make tea", "make  TEA", '"tea"'])
async def test_finds_a_reminder_by_unique_words(harness: ChatHarness, name: str) -> None:
    await promised(harness, "tea", text="Make tea", next_at=soon(harness))
    milk = await promised(harness, "milk", text="Buy milk", next_at=soon(harness))
    await asked(harness, {**CANCEL, "reminder": name})
    assert await only(harness) == milk


async def test_asks_an_administrator_before_changing_anothers_reminder(open_harness: OpenHarness) -> None:
    group = await open_harness(people=2)
    ann, bob = group.person, group.others[0]
    bins = await weekly(group)
    cancel: Json = {**CANCEL, "reminder": bins.short_id}
    await asked(group, cancel, {"kind": "send", "text": "Gone."}, **{"from": bob})
    assert (await group.said())[-1].startswith("This reminder is someone else's.")
    assert "Gone." not in await group.said()
    place = f"/world/chats/{group.chat}/admins"
    (await group.backend.telegram.post(place, json={"id": bob, "admin": True})).raise_for_status()
    await asked(
        group,
        {**PUT_OFF, "reminder": bins.short_id, "after": "3 days"},
        **{"from": bob},
    )
    assert await only(group) == bins
    ask = await offered(group)
    await group.presses(ask, 0, **{"from": ann})
    await due_in(group, timedelta(seconds=30))
    assert await only(group) == bins, "it is offered to who asked"
    await pressed(group, ask, **{"from": bob})
    assert len([one for one in await every(group) if one.next_at is not None]) == 2


async def test_asks_the_owner_if_several_people_are_answered(group: ChatHarness) -> None:
    ann, bob = group.person, group.others[0]
    tea = await promised(group, "tea", text="Make tea", next_at=soon(group))
    await group.will_plan({**CANCEL, "reminder": tea.short_id})
    await group.writes("lull, hello")
    await group.writes("lull, cancel the tea", **{"from": bob})
    await due_in(group, timedelta(seconds=30))
    assert await only(group) == tea
    await pressed(group, await offered(group), **{"from": bob})
    assert await only(group) == tea
    await pressed(group, await offered(group), **{"from": ann})
    assert [one.next_at for one in await every(group)] == [None]


async def test_does_not_find_reminders_of_other_chats(open_harness: OpenHarness) -> None:
    other, harness = await open_harness(), await open_harness()
    tea = await promised(other, "tea", text="Make tea", next_at=soon(other))
    for name in (tea.short_id, tea.id, "Make tea"):
        await asked(harness, {**CANCEL, "reminder": name})
        assert (await harness.said())[-1] == UNKNOWN
    assert await only(other) == tea


async def test_a_button_for_a_changed_reminder_does_nothing(harness: ChatHarness) -> None:
    bins = await weekly(harness)
    cancel: Json = {**CANCEL, "reminder": bins.short_id}
    await asked(harness, cancel)
    ask = await offered(harness)
    other = evolve(bins, text="Take the paper out")
    await harness.backend.chats.client.document(event_path(bins.id)).set(encode_reminder(other))
    await pressed(harness, ask)
    assert (await harness.said())[-1] == GONE
    assert await only(harness) == other


async def test_after_outside_text_every_change_waits_for_a_tap(harness: ChatHarness) -> None:
    tea = await promised(harness, "tea", text="Make tea", next_at=soon(harness))
    await harness.will_plan({**PUT_OFF, "reminder": tea.short_id, "after": "2 hours"})
    forward = message_update(77, "put the tea off", Author(id=harness.person, name="Guest"))
    forward["message"]["forward_origin"] = {"type": "hidden_user", "sender_user_name": "Somebody", "date": 1}
    await harness.take(forward)
    await due_in(harness, timedelta(seconds=30))
    assert await only(harness) == tea
    ask = await offered(harness)
    assert "I've read text from outside sources" in ask["text"]
    assert "Move to " in ask["text"]
    await pressed(harness, ask)
    moved = await only(harness)
    assert moved.next_at != tea.next_at


async def test_a_killed_tick_moves_it_once(open_harness: OpenHarness) -> None:
    steps, at = 1, 0
    while at < steps:
        harness = await open_harness()
        bins = await weekly(harness)
        harness.steps.taken.clear()

        async def die() -> None:
            raise Killed

        harness.steps.at, harness.steps.happens = at, die if at else None
        await asked(harness, {**PUT_OFF, "reminder": bins.short_id, "at": "2026-12-24T10:00"})
        steps = steps if at else len(harness.steps.taken)
        found = [one for one in await every(harness) if one.next_at is not None]
        assert len([one for one in found if one.rule]) == 1, at
        assert len(found) <= 2, at
        at += 1
    assert steps >= 5
