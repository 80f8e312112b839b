"""Tests of /reminders in a real chat."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from shared.commands.pager import SelectedEntry
from shared.reminders.commands.reminders import ReminderTarget, press
from shared.values.reminder import MOST_OPEN, OccurrenceState, Reminder, button_reference
from shared.values.update import Json
from tests.shared.buttons import labels_of, place_of
from tests.shared.commands.requests import asked
from tests.shared.kept_reminders import due_in, kept, kept_now, promised
from tests.shared.reminding import reminder
from tests.shared.turn.harness import ChatHarness


async def shown(harness: ChatHarness, **more: object) -> Json:
    """Return the message that the command answers with."""
    await harness.writes("/reminders" if harness.key.is_private else f"/reminders@{harness.backend.username}", **more)
    await due_in(harness, timedelta(minutes=1))
    return (await harness.messages())[-1]


async def presses(harness: ChatHarness, message: Json, label: str, **more: object) -> Json:
    """Return the message after a press of the button with that label."""
    await harness.presses(message, place_of(message, label), **more)
    await due_in(harness, timedelta(minutes=1))
    return next(m for m in await harness.messages() if m["message_id"] == message["message_id"])


async def test_says_if_there_are_none(harness: ChatHarness) -> None:
    assert (await shown(harness))["text"] == "There are no upcoming reminders here."


async def test_shows_and_cancels_a_reminder(harness: ChatHarness) -> None:
    one = await promised(harness, next_at=datetime(2031, 5, 2, 17, tzinfo=UTC))
    listed = await shown(harness)
    assert "Friday, 2 May 2031, 17:00 (UTC): Time for tea!" in listed["text"]
    opened = await presses(harness, listed, "Time for tea!")
    assert labels_of(opened) == [*("Cancel", "10 minutes later", "1 hour later", "A day later", "‹ All reminders")]
    cancelled = await presses(harness, opened, "Cancel")
    assert cancelled["text"] == "Cancelled: Time for tea!\n\nThere are no upcoming reminders here."
    over = await kept_now(harness, one)
    assert over.next_at is None
    assert over.last is not None
    assert over.last.state is OccurrenceState.CANCELLED
    await harness.rests()
    assert "Time for tea!" not in await harness.said()


async def test_names_near_days_and_omits_a_told_zone(harness: ChatHarness) -> None:
    await harness.writes("/zone Berlin")
    await due_in(harness, timedelta(minutes=1))
    day = harness.by_day("Europe/Berlin") + timedelta(days=1)
    civil = datetime.combine(day, time(17), ZoneInfo("Europe/Berlin"))
    near: Json = {"start": f"{day}T17:00:00", "next_at": civil.astimezone(UTC)}
    await promised(harness, "plain", zone="Europe/Berlin", **near)
    await promised(harness, "guessed", zone="Europe/Berlin", text="Coffee!", is_zone_guessed=True, **near)
    await promised(harness, "far", zone="Asia/Tokyo", text="Bread!", next_at=datetime(2031, 5, 2, 8, tzinfo=UTC))
    walk = (harness.clock.now + timedelta(hours=1)).astimezone(ZoneInfo("Europe/Berlin"))
    each: Json = {"rule": "FREQ=DAILY", "start": f"{walk:%Y-%m-%dT%H:%M:%S}", "next_at": walk.astimezone(UTC)}
    await promised(harness, "daily", zone="Europe/Berlin", text="Walk!", **each)
    assert sorted(line.partition(" ⏰ ")[2] for line in (await shown(harness))["text"].splitlines()[2:]) == [
        "Friday, 2 May 2031, 17:00 (Asia/Tokyo): Bread!",
        "Tomorrow at 17:00 (Europe/Berlin): Coffee!",
        "Tomorrow at 17:00: Time for tea!",
        f"every day, {walk:%H:%M}: Walk!",
    ]


async def test_each_reminder_has_a_line_and_a_numbered_button(harness: ChatHarness) -> None:
    await promised(harness, next_at=datetime(2031, 5, 2, 17, tzinfo=UTC))
    await promised(harness, "two", text="Call " + "Bob " * 20, next_at=datetime(2031, 5, 3, 17, tzinfo=UTC))
    listed = await shown(harness)
    assert listed["text"].splitlines()[-2:] == [
        "1. ⏰ Friday, 2 May 2031, 17:00 (UTC): Time for tea!",
        f"2. ⏰ Saturday, 3 May 2031, 17:00 (UTC): Call{' Bob' * 20}",
    ]
    assert [[button["text"] for button in row] for row in listed["buttons"]] == [["1", "2"]]


async def test_a_list_right_after_a_button_includes_its_change(
    harness: ChatHarness,
) -> None:
    gone = await promised(harness, "two", text="Time for coffee!", next_at=datetime(2031, 5, 1, 17, tzinfo=UTC))
    await promised(harness, next_at=datetime(2031, 5, 2, 17, tzinfo=UTC))
    opened = await presses(harness, await shown(harness), "Time for tea!")
    other = await presses(harness, await shown(harness), "Time for coffee!")
    for message, label in ((opened, "A day later"), (other, "Cancel")):
        await harness.presses(message, place_of(message, label))
    text = (await shown(harness))["text"]
    assert "Saturday, 3 May 2031, 17:00 (UTC): Time for tea!" in text
    assert "coffee" not in text
    assert (await kept_now(harness, gone)).next_at is None


async def test_putting_off_in_the_list_counts_from_the_due_time(harness: ChatHarness) -> None:
    one = await promised(harness, next_at=datetime(2031, 5, 2, 17, tzinfo=UTC))
    opened = await presses(harness, await shown(harness), "Time for tea!")
    later = await presses(harness, opened, "A day later")
    assert "Saturday, 3 May 2031, 17:00 (UTC)" in later["text"]
    assert (await kept_now(harness, one)).next_at == datetime(2031, 5, 3, 17, tzinfo=UTC)


async def test_puts_off_only_the_next_time_of_a_repeating_reminder(harness: ChatHarness) -> None:
    rule: Json = {"rule": "FREQ=DAILY", "start": "2031-05-02T17:00:00"}
    one = await promised(harness, next_at=datetime(2031, 5, 2, 17, tzinfo=UTC), **rule)
    await presses(harness, await presses(harness, await shown(harness), "Time for tea!"), "1 hour later")
    (later,) = [each for each in await kept(harness) if each.id != one.id]
    assert (later.next_at, later.rule) == (datetime(2031, 5, 2, 18, tzinfo=UTC), "")
    assert (await kept_now(harness, one)).next_at == datetime(2031, 5, 3, 17, tzinfo=UTC)


DAILY: Json = {"rule": "FREQ=DAILY", "start": "2031-05-02T17:00:00", "next_at": datetime(2031, 5, 2, 17, tzinfo=UTC)}
ONCE: Json = {"next_at": datetime(2031, 5, 2, 17, tzinfo=UTC)}


@pytest.mark.parametrize(("fields", "notice"), [(DAILY, "This reminder is already over."), (ONCE, "")])
def test_pressing_an_old_button_again_does_nothing(fields: Json, notice: str) -> None:
    before = reminder(**fields)
    assert before.next_at is not None
    argument = f"u{button_reference(before, before.next_at)}"
    later = press(
        asked(argument, result=SelectedEntry(ReminderTarget(before, argument[13:]), may_change=True))
    ).reminders
    (now,) = [one for one in later if one.id == before.id]
    again = press(asked(argument, result=SelectedEntry(ReminderTarget(now, argument[13:]), may_change=True)))
    assert (again.notice, again.reminders) == (notice, ())


async def test_putting_off_in_both_places_keeps_both_times(harness: ChatHarness) -> None:
    rule: Json = {"rule": "FREQ=DAILY", "start": f"{harness.clock.now + timedelta(minutes=10):%Y-%m-%dT%H:%M:%S}"}
    one = await promised(harness, **rule)
    await due_in(harness, timedelta(minutes=10))
    said = (await harness.messages())[-1]
    tomorrow = (await kept_now(harness, one)).next_at
    assert tomorrow is not None
    await presses(harness, said, "1 hour later")
    listed = await shown(harness)
    await presses(harness, await presses(harness, listed, f"every day, {tomorrow:%H:%M}"), "A day later")
    (soon, late) = sorted(
        each.next_at for each in await kept(harness) if each.id != one.id and each.next_at is not None
    )
    assert soon <= harness.clock.now + timedelta(hours=1)
    assert late == tomorrow + timedelta(days=1)


async def test_a_sent_reminder_comes_once_more(harness: ChatHarness) -> None:
    one = await promised(harness)
    await due_in(harness, timedelta(minutes=10))
    said = (await harness.messages())[-1]
    assert said["text"] == "Time for tea!"
    pressed_at = harness.clock.now
    assert (await presses(harness, said, "10 minutes later"))["text"] == "Time for tea!"
    again = (await kept_now(harness, one)).next_at
    assert again is not None
    assert timedelta(minutes=10) <= again - pressed_at <= timedelta(minutes=11)
    assert "Snoozed: " in (await harness.notices())[-1]
    await harness.rests()
    assert (await harness.said()).count("Time for tea!") == 2


async def test_a_snoozed_reminder_does_not_move_with_a_new_zone(harness: ChatHarness) -> None:
    one = await promised(harness, is_zone_guessed=True)
    await due_in(harness, timedelta(minutes=10))
    await presses(harness, (await harness.messages())[-1], "10 minutes later")
    later = (await kept_now(harness, one)).next_at
    await harness.writes("/zone New York")
    await due_in(harness, timedelta(minutes=1))
    assert (await kept_now(harness, one)).next_at == later


@pytest.mark.parametrize("is_one_more", [True, False])
async def test_putting_off_respects_the_limit(harness: ChatHarness, is_one_more: bool) -> None:
    one = await promised(harness)
    await due_in(harness, timedelta(minutes=10))
    for number in range(MOST_OPEN - (not is_one_more)):
        await promised(harness, str(number), is_armed=False, chat="elsewhere")
    await presses(harness, (await harness.messages())[-1], "1 hour later")
    assert ((await kept_now(harness, one)).next_at is None) is is_one_more


async def of_two(group: ChatHarness) -> tuple[Reminder, Reminder]:
    """Store a reminder of the group's owner and one of another person."""
    owners = await promised(group, next_at=datetime(2031, 5, 2, 17, tzinfo=UTC))
    other: Json = {"person": group.others[0], "name": "Bob", "text": "Bread!"}
    return owners, await promised(group, "other", next_at=datetime(2031, 5, 1, 17, tzinfo=UTC), **other)


async def test_in_a_group_people_see_only_their_own(group: ChatHarness) -> None:
    owners, others = await of_two(group)
    bob, cy = group.others
    listed = await shown(group, **{"from": bob})
    assert "Bread!" in listed["text"]
    assert "tea" not in listed["text"]
    opened = await presses(group, listed, "Bread!", **{"from": bob})
    await presses(group, opened, "Cancel", **{"from": cy})
    assert (await group.notices())[-1].startswith("This reminder is someone else's.")
    assert (await kept_now(group, others)).next_at is not None
    await presses(group, opened, "Cancel", **{"from": bob})
    assert (await kept_now(group, others)).next_at is None
    assert (await kept_now(group, owners)).next_at is not None


async def test_an_administrator_sees_all_with_names(group: ChatHarness) -> None:
    _, others = await of_two(group)
    listed = await shown(group)
    assert "Bread! (Bob)" in listed["text"]
    assert "tea! (" not in listed["text"]
    opened = await presses(group, listed, "Bread!")
    await presses(group, opened, "Cancel")
    assert (await kept_now(group, others)).next_at is None


async def test_pages_many_reminders(harness: ChatHarness) -> None:
    for number in range(8):
        fields = {"text": f"Tea {number}", "next_at": datetime(2031, 5, 2, 17, number, tzinfo=UTC)}
        await promised(harness, str(number), is_armed=False, **fields)
    listed = await shown(harness)
    assert "Tea 5" in listed["text"]
    assert "Tea 6" not in listed["text"]
    second = await presses(harness, listed, "Later ›")
    assert labels_of(second) == ["7", "8", "‹ Earlier"]
    assert "Page 2 of 2, 8 in total" in second["text"]
    assert "Tea 0" in (await presses(harness, second, "‹ Earlier"))["text"]


async def test_stays_on_the_page_after_a_cancellation(harness: ChatHarness) -> None:
    for number in range(9):
        fields = {"text": f"Tea {number}", "next_at": datetime(2031, 5, 2, 17, number, tzinfo=UTC)}
        await promised(harness, str(number), is_armed=False, **fields)
    second = await presses(harness, await shown(harness), "Later ›")
    back = await presses(harness, await presses(harness, second, "Tea 7"), "‹ All reminders")
    assert labels_of(back) == labels_of(second)
    left = await presses(harness, await presses(harness, back, "Tea 7"), "Cancel")
    assert left["text"].startswith("Cancelled: Tea 7\n\n")
    assert labels_of(left) == ["7", "8", "‹ Earlier"]
    assert "Tea 7" not in left["text"].partition("\n\n")[2]


async def test_a_button_keeps_its_reminder_after_the_list_changed(harness: ChatHarness) -> None:
    for number in range(3):
        fields = {"text": f"Tea {number}", "next_at": datetime(2031, 5, 2, 17, number, tzinfo=UTC)}
        await promised(harness, str(number), is_armed=False, **fields)
    older = await shown(harness)
    await presses(harness, await presses(harness, await shown(harness), "Tea 0"), "Cancel")
    assert "Tea 1" in (await presses(harness, older, "Tea 1"))["text"]


async def test_marks_reminders_set_after_outside_text(harness: ChatHarness) -> None:
    await promised(harness, next_at=datetime(2031, 5, 2, 17, tzinfo=UTC), saw_outside=True)
    await presses(harness, await shown(harness), "Time for tea!")
    said = [entry for entry in await harness.transcript() if "Time for tea!" in entry.get("text", "")]
    assert [entry["type"] for entry in said] == ["message", "edit"]
    assert all(entry["holds_outside"] for entry in said)
