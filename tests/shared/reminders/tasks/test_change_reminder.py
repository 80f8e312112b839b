"""Tests of the task `change-reminder`."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.base.wording.words import words_in
from shared.planning.format.reply import ParsedReply, parse_reply
from shared.reminders.tasks.change_reminder import NO_TIME, NOT_ONCE, NOTHING, ChangeReminder
from shared.values.agent import Codec, parse_zone
from shared.values.evolve import evolve
from shared.values.reminder import ReminderChange, ReminderSpec
from tests.shared.examples import NOW

KINDS = ("send", "change-reminder")
ONCE = ReminderSpec(text="Make tea", first_at=NOW + timedelta(hours=1), zone="UTC", start="2026-03-01T13:00:00")
CHANGE = {"what": "change"}
WEEKLY = evolve(ONCE, rule="FREQ=WEEKLY;BYDAY=MO", start="2026-01-05T09:00:00")
ASKED = ReminderChange(asked_at=NOW, asked_zone="UTC")


LATER = ChangeReminder(what="put-off", reminder="abcde", after="1 hour")
OVER = ChangeReminder(what="cancel", reminder="abcde")
OTHERWISE = ChangeReminder(what="change", reminder="abcde", text="Tea")


@pytest.mark.parametrize(
    ("reply", "codec", "task"),
    [
        ('"what":"put-off","reminder":"abcde","after":"1 hour"', Codec.JSON, LATER),
        ('"what":"cancel","reminder":"abcde"', Codec.JSON, OVER),
        ('"what":"change","reminder":"abcde","text":"Tea"', Codec.JSON, OTHERWISE),
        ("what: cancel\nreminder: abcde", Codec.MARKDOWN, OVER),
        ("what: change\nreminder: abcde\ntext: Tea", Codec.MARKDOWN, OTHERWISE),
    ],
)
def test_parses_the_task(reply: str, codec: Codec, task: ChangeReminder) -> None:
    spelt = (
        f'{{"tasks":[{{"kind":"change-reminder",{reply}}}]}}'
        if codec is Codec.JSON
        else f"# «change-reminder»\n{reply}"
    )
    parsed = parse_reply(spelt, KINDS, codec)
    assert isinstance(parsed, ParsedReply)
    (found,) = parsed.tasks
    assert found.model_dump(exclude={"id", "depends_on"}) == task.model_dump(exclude={"id", "depends_on"})
    assert (task.summary(), task.pending(0, None).what) == (f"{task.what} abcde", f"{task.what} reminder abcde")
    assert task.pause() == timedelta()


@pytest.mark.parametrize(
    ("task", "problem"),
    [
        (ChangeReminder(what="put-off", reminder="abcde"), NO_TIME),
        (ChangeReminder(what="put-off", reminder="abcde", after="soon"), "`after` is a span of time"),
        (ChangeReminder(what="put-off", reminder="abcde", at="2020-01-01T10:00"), "That is in the past"),
        (ChangeReminder(what="change", reminder="abcde"), NOTHING),
        (ChangeReminder(what="change", reminder="abcde", text=" "), NOTHING),
        (ChangeReminder(what="change", reminder="abcde", every="sometimes"), "`every` is a rule"),
        (ChangeReminder(what="change", reminder="abcde", at="25:00"), "A time of day goes"),
    ],
)
def test_returns_impossible_changes_to_the_model(task: ChangeReminder, problem: str) -> None:
    found = task.at_instants(NOW, "UTC")
    assert isinstance(found, str)
    assert found.startswith(problem)


@pytest.mark.parametrize(
    "task",
    [
        ChangeReminder(what="cancel", reminder="abcde"),
        ChangeReminder(what="put-off", reminder="abcde", at="tomorrow 9am"),
        ChangeReminder(what="change", reminder="abcde", every="weekday"),
        ChangeReminder(what="change", reminder="abcde", count=3),
        ChangeReminder(what="change", reminder="abcde", text="Tea"),
    ],
)
def test_records_when_the_change_was_asked_for(task: ChangeReminder) -> None:
    found = task.at_instants(NOW, "Asia/Tokyo")
    assert isinstance(found, ChangeReminder)
    assert found.resolved == ReminderChange(asked_at=NOW, asked_zone="Asia/Tokyo")


@pytest.mark.parametrize(
    ("task", "before", "loses"),
    [
        (ChangeReminder(what="cancel", reminder="a"), ONCE, False),
        (ChangeReminder(what="cancel", reminder="a"), WEEKLY, True),
        (ChangeReminder(what="put-off", reminder="a", after="1 day"), ONCE, False),
        (ChangeReminder(what="put-off", reminder="a", after="1 day"), WEEKLY, False),
        (ChangeReminder(what="change", reminder="a", at="17:00"), ONCE, False),
        (ChangeReminder(what="change", reminder="a", at="17:00"), WEEKLY, True),
        (ChangeReminder(what="change", reminder="a", every="FREQ=DAILY", at="17:00"), ONCE, True),
        (ChangeReminder(what="change", reminder="a", text="Make coffee"), ONCE, True),
        (ChangeReminder(what="change", reminder="a", text="Make tea"), ONCE, False),
        (ChangeReminder(what="change", reminder="a", instruction="Make tea"), ONCE, True),
    ],
)
def test_a_rule_or_words_are_a_loss(task: ChangeReminder, before: ReminderSpec, loses: bool) -> None:
    after = task.apply_to(before, ASKED)
    assert not isinstance(after, str)
    assert task.loses(before, after) is loses


def test_keeps_what_is_not_changed() -> None:
    after = ChangeReminder(what="change", reminder="a", text="Bins").apply_to(WEEKLY, ASKED)
    assert after == evolve(WEEKLY, text="Bins")
    later = ChangeReminder(what="change", reminder="a", count=3).apply_to(WEEKLY, ASKED)
    assert isinstance(later, ReminderSpec)
    assert (later.rule, later.start[11:16]) == ("FREQ=WEEKLY;COUNT=3;BYDAY=MO", "09:00")


@pytest.mark.parametrize(
    ("fields", "start"),
    [
        # said on the Monday before: the day stays
        ({"what": "put-off", "at": "10:00"}, "2026-11-27T10:00:00"),
        ({"what": "change", "at": "10:00"}, "2026-11-27T10:00:00"),
        ({"what": "change", "at": "8 in the morning"}, "2026-11-27T08:00:00"),
        ({"what": "change", "at": "2026-11-26T10:00"}, "2026-11-26T10:00:00"),
        ({"what": "change", "at": "tomorrow at 10"}, "2026-11-24T10:00:00"),
        ({"what": "change", "at": "saturday"}, "2026-11-28T09:00:00"),
        ({"what": "put-off", "after": "1 hour"}, "2026-11-27T10:00:00"),
        ({"what": "put-off", "after": "1 day"}, "2026-11-28T09:00:00"),
        ({"what": "put-off", "after": "1 week"}, "2026-12-04T09:00:00"),
        ({"what": "change", "after": "1 hour"}, "2026-11-23T13:00:00"),
        ({"what": "change", "every": "day", "at": "10:00"}, "2026-11-24T10:00:00"),
    ],
)
def test_a_one_time_reminder_stays_on_its_day(fields: dict[str, Any], start: str) -> None:
    friday = datetime(2026, 11, 27, 9, tzinfo=UTC)
    dentist = evolve(ONCE, first_at=friday, start="2026-11-27T09:00:00", zone="UTC")
    monday = ReminderChange(asked_at=datetime(2026, 11, 23, 12, tzinfo=UTC), asked_zone="UTC")
    after = ChangeReminder(reminder="a", **fields).apply_to(dentist, monday)
    assert isinstance(after, ReminderSpec)
    assert after.start == start


def moved(asked: str, old: str, zone: str = "UTC", **fields: str) -> str:
    """Change a reminder that comes once, and return its new time by the clock of this zone."""
    at, now = (datetime.fromisoformat(one).replace(tzinfo=parse_zone(zone)).astimezone(UTC) for one in (old, asked))
    before = evolve(ONCE, first_at=at, start=f"{old}:00", zone=zone)
    task = ChangeReminder.model_validate({"what": "change", "reminder": "a", **fields})
    after = task.apply_to(before, ReminderChange(asked_at=now, asked_zone=zone))
    assert isinstance(after, ReminderSpec)
    return after.start[:16]


@pytest.mark.parametrize("what", ["change", "put-off"])
@pytest.mark.parametrize("zone", ["UTC", "Europe/Kyiv", "America/Los_Angeles"])
@pytest.mark.parametrize(
    ("asked", "old", "at", "start"),
    [
        # tonight, which by the calendar is tomorrow
        ("2026-11-29T20:00", "2026-11-30T00:30", "23:30", "2026-11-29T23:30"),
        ("2026-11-29T20:00", "2026-11-30T00:30", "10pm", "2026-11-29T22:00"),
        ("2026-11-29T20:00", "2026-11-30T00:00", "23:45", "2026-11-29T23:45"),
        ("2026-11-29T20:00", "2026-11-30T03:00", "21:00", "2026-11-29T21:00"),
        ("2026-11-29T20:00", "2026-11-30T00:30", "01:30", "2026-11-30T01:30"),
        ("2026-11-29T20:00", "2026-11-30T00:30", "08:00", "2026-11-30T08:00"),
        ("2026-11-29T20:00", "2026-11-29T23:30", "00:30", "2026-11-30T00:30"),
        ("2026-11-29T20:00", "2026-11-29T22:00", "02:00", "2026-11-30T02:00"),
        ("2026-11-29T23:50", "2026-11-30T00:30", "23:30", "2026-11-30T23:30"),
        ("2026-11-30T00:10", "2026-11-30T00:30", "23:30", "2026-11-30T23:30"),
        ("2026-11-30T00:10", "2026-11-30T02:00", "01:00", "2026-11-30T01:00"),
        # days before
        ("2026-11-23T12:00", "2026-11-28T00:30", "23:30", "2026-11-27T23:30"),
        ("2026-11-23T12:00", "2026-11-27T23:30", "00:30", "2026-11-28T00:30"),
        ("2026-11-23T12:00", "2026-11-28T00:30", "09:00", "2026-11-28T09:00"),
        # by day the day stays, however far the times are apart
        ("2026-11-23T12:00", "2026-11-27T21:00", "07:00", "2026-11-27T07:00"),
        ("2026-11-23T12:00", "2026-11-27T05:00", "23:00", "2026-11-27T23:00"),
        ("2026-11-23T12:00", "2026-11-27T08:00", "03:30", "2026-11-27T03:30"),
        ("2026-11-29T20:00", "2026-11-30T09:00", "23:30", "2026-11-30T23:30"),
    ],
)
def test_the_night_belongs_to_the_evening_before_it(
    asked: str, old: str, at: str, start: str, zone: str, what: str
) -> None:
    assert moved(asked, old, zone, at=at, what=what) == start


@pytest.mark.parametrize("old", ["2026-11-29T13:05", "2026-11-29T15:00", "2026-11-30T00:30", "2026-12-24T09:00"])
def test_a_longer_delay_never_comes_earlier(old: str) -> None:
    spans = ("5 minutes", "1 hour", "2 hours", "3 hours", "10 hours", "1 day", "1 week", "1 month")
    starts = [moved("2026-11-29T13:00", old, what="put-off", after=span) for span in spans]
    assert [old, *starts] == sorted({old, *starts})
    assert moved("2026-11-29T13:00", "2026-11-29T15:00", what="put-off", after="3 hours") == "2026-11-29T18:00"
    assert moved("2026-11-29T13:00", "2026-11-29T15:00", after="3 hours") == "2026-11-29T16:00", "a change, from now"
    assert moved("2026-11-29T13:00", "2026-11-29T12:58", what="put-off", after="10 minutes") == "2026-11-29T13:10"


@pytest.mark.parametrize(
    ("asked", "fields", "start"),
    [
        # every second Monday at nine; the next one is on 7 December
        ("2026-12-02T12:00", {"after": "1 day"}, "2026-12-08T09:00"),
        ("2026-12-02T12:00", {"after": "1 hour"}, "2026-12-07T10:00"),
        ("2026-12-02T12:00", {"at": "10:00"}, "2026-12-07T10:00"),
        ("2026-12-07T08:30", {"after": "1 hour"}, "2026-12-07T10:00"),
        # it was sent just now
        ("2026-11-23T09:05", {"after": "10 minutes"}, "2026-11-23T09:15"),
        ("2026-11-23T09:05", {"at": "11:00"}, "2026-11-23T11:00"),
    ],
)
def test_puts_off_a_repeating_reminder_from_the_time_that_is_meant(
    asked: str, fields: dict[str, str], start: str
) -> None:
    rule, start_at, next_at = (
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO",
        "2026-11-09T09:00:00",
        datetime(2026, 12, 7, 9, tzinfo=UTC),
    )
    each = evolve(ONCE, rule=rule, start=start_at, zone="UTC", first_at=next_at)
    task = ChangeReminder.model_validate({"what": "put-off", "reminder": "a", **fields})
    now = datetime.fromisoformat(asked).replace(tzinfo=UTC)
    after = task.apply_to(each, ReminderChange(asked_at=now, asked_zone="UTC"))
    assert isinstance(after, ReminderSpec)
    assert (after.start[:16], after.rule) == (start, "")


def test_does_not_move_to_a_past_time() -> None:
    today = evolve(ONCE, first_at=datetime(2026, 11, 23, 15, tzinfo=UTC), start="2026-11-23T15:00:00", zone="UTC")
    noon = ReminderChange(asked_at=datetime(2026, 11, 23, 12, tzinfo=UTC), asked_zone="UTC")
    for at, start in (("17:00", "2026-11-23T17:00:00"), ("10:00", "2026-11-24T10:00:00")):
        after = ChangeReminder(what="change", reminder="a", at=at).apply_to(today, noon)
        assert isinstance(after, ReminderSpec)
        assert after.start == start


def test_refuses_a_span_for_a_rule() -> None:
    assert ChangeReminder(what="change", reminder="a", after="1 hour").apply_to(WEEKLY, ASKED) == NOT_ONCE


def test_asking_needs_a_resolved_change() -> None:
    with pytest.raises(ValueError, match="not resolved"):
        ChangeReminder(what="cancel", reminder="a").asked_for(words_in("en"))


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (CHANGE | {"text": "Make coffee at 13:00"}, "Make coffee"),
        (CHANGE | {"text": "Make coffee tomorrow at 9", "at": "tomorrow at 9"}, "Make coffee"),
        (CHANGE | {"text": "Сварить кофе завтра в 9", "at": "tomorrow at 9"}, "Сварить кофе"),
        (CHANGE | {"text": "Kaffee kochen in 2 Stunden", "after": "2 hours"}, "Kaffee kochen"),
        (CHANGE | {"text": "Make tea tomorrow at 9", "at": "tomorrow at 9"}, "Make tea"),
        (CHANGE | {"text": "Make coffee tomorrow at 10", "at": "tomorrow at 9"}, "Make coffee tomorrow at 10"),
        # the request has no new time or text
        (CHANGE | {"text": "  ", "at": "tomorrow at 9"}, "Make tea"),
        ({"what": "put-off", "text": "Make coffee", "after": "2 hours"}, "Make tea"),
    ],
)
def test_new_words_lose_their_time(task: dict[str, str], text: str) -> None:
    found = ChangeReminder.model_validate({"reminder": "abcde", **task}).apply_to(ONCE, ASKED)
    assert isinstance(found, ReminderSpec)
    assert (found.text, found.instruction) == (text, "")


def test_new_words_of_a_repeating_reminder_lose_the_repetition() -> None:
    task = ChangeReminder(what="change", reminder="abcde", text="Чай каждый понедельник в 9")
    found = task.apply_to(evolve(WEEKLY, first_at=datetime(2026, 3, 2, 9, tzinfo=UTC)), ASKED)
    assert isinstance(found, ReminderSpec)
    assert found.text == "Чай"
