"""Reminders in words."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.scheduling.proposal import Proposal, When, resolved
from shared.scheduling.telling import when_confirmed, when_told, without_when
from shared.wording.words import words_in
from tests.shared.reminding import reminder


def test_the_day_the_time_and_the_zone_are_told() -> None:
    one = reminder(next_at=datetime(2026, 11, 27, 16, tzinfo=UTC), zone="Europe/Berlin", start="2026-11-27T17:00:00")
    assert when_told(words_in("en"), one) == "Friday, 27 November 2026, 17:00 (Europe/Berlin)"
    each = one.model_copy(update={"rule": "FREQ=WEEKLY;BYDAY=FR"})
    told = when_told(words_in("en"), each)
    assert all(part in told for part in ("Friday", "17:00", "Europe/Berlin", "27 November 2026"))
    assert when_told(words_in("en"), one.model_copy(update={"next_at": None})) == ""


@pytest.mark.parametrize(
    ("text", "at", "left"),
    [
        ("Tomorrow at 9: call mum", "2026-11-24T09:00", "Call mum"),
        ("call mum tomorrow at 9", "2026-11-24T09:00", "call mum"),
        ("Call mum tomorrow at 9:00!", "2026-11-24T09:00", "Call mum!"),
        ("Call mum, tomorrow at 9am.", "2026-11-24T09:00", "Call mum."),
        ("Friday at 17:00 – hand in the report", "2026-11-27T17:00", "Hand in the report"),
        ("Hand in the report on Friday at 5pm", "2026-11-27T17:00", "Hand in the report"),
        ("Hand in the report on Friday, 27 November at 17:00", "2026-11-27T17:00", "Hand in the report"),
        ("Take the bread out in 20 minutes", "in 20 minutes", "Take the bread out"),
        ("In 20 minutes: the bread", "in 20 minutes", "The bread"),
        ("Call mum at 18:00", "18:00", "Call mum"),
        # another time is what it is about, or the sentence needs it
        ("Call mum tomorrow at 9", "2026-11-23T20:00", "Call mum tomorrow at 9"),
        ("The deadline is tomorrow at 9", "2026-11-24T09:00", "The deadline is tomorrow at 9"),
        ("The shop is open until 18:00", "18:00", "The shop is open until 18:00"),
        ("Tomorrow at 9", "2026-11-24T09:00", "Tomorrow at 9"),
        ("Friday is the deadline", "2026-11-27T09:00", "Friday is the deadline"),
        ("Water the plants", "2026-11-24T09:00", "Water the plants"),
        ("Read 1984", "2026-11-24T09:00", "Read 1984"),
        ("Позвонить маме", "2026-11-24T09:00", "Позвонить маме"),
        ("", "2026-11-24T09:00", ""),
    ],
)
def test_a_text_does_not_repeat_when(text: str, at: str, left: str) -> None:
    now, proposal = datetime(2026, 11, 23, 11, tzinfo=UTC), Proposal(at=at)
    when = resolved(proposal, now, "UTC")
    assert isinstance(when, When)
    assert without_when(text, proposal, when, now) == left


@pytest.mark.parametrize(
    ("text", "every", "left"),
    [
        ("Water the plants every day at 8", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0", "Water the plants"),
        ("Every weekday at 07:00: water the roses", "weekday at 07:00", "Water the roses"),
        ("Stand up every 2 hours", "2 hours", "Stand up"),
        ("Take a pill every other day", "every day at 8", "Take a pill every other day"),
    ],
)
def test_a_text_does_not_repeat_how_it_repeats(text: str, every: str, left: str) -> None:
    now, proposal = datetime(2026, 11, 23, 11, tzinfo=UTC), Proposal(every=every)
    when = resolved(proposal, now, "UTC")
    assert isinstance(when, When)
    assert without_when(text, proposal, when, now) == left


@pytest.mark.parametrize(
    ("language", "at", "told"),
    [
        ("en", "2026-11-23T20:00", "Today at 20:00"),
        ("en", "2026-11-24T09:00", "Tomorrow at 09:00"),
        ("en", "2026-11-25T09:00", "Wednesday at 09:00"),
        ("en", "2026-11-29T09:00", "Sunday at 09:00"),
        # the same day of the week is told by its date
        ("en", "2026-11-30T09:00", "Monday, 30 November 2026, 09:00"),
        ("de", "2026-11-24T09:00", "Morgen um 09:00"),
        ("ru", "2026-11-24T09:00", "Завтра в 09:00"),
        ("ja", "2026-11-25T09:00", "水曜日 09:00"),
    ],
)
def test_what_was_set_is_confirmed_with_as_much_of_its_day_as_is_needed(language: str, at: str, told: str) -> None:
    now, first = datetime(2026, 11, 23, 11, tzinfo=UTC), datetime.fromisoformat(at).replace(tzinfo=UTC)
    one = reminder(next_at=first, start=at, zone="UTC")
    assert when_confirmed(words_in(language), one, now, names_zone=False) == told
    assert "UTC" in when_confirmed(words_in(language), one, now, names_zone=True)


def test_in_the_small_hours_tomorrow_is_told_by_its_name() -> None:
    now = datetime(2026, 11, 24, 0, 30, tzinfo=UTC)
    told = [
        when_confirmed(words_in("en"), reminder(next_at=now + timedelta(hours=ahead)), now, names_zone=False)
        for ahead in (8, 32)
    ]
    assert told == ["Today at 08:30", "Wednesday at 08:30"]


@pytest.mark.parametrize(
    ("rule", "start", "told"),
    [
        ("FREQ=DAILY", "2026-11-24T08:00", "every day, 08:00"),
        ("FREQ=WEEKLY;BYDAY=FR", "2026-11-27T08:00", "every week: Friday, 08:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "2026-11-30T08:00", "every month: last day, 08:00"),
        # its words do not say when it begins
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO",
            "2026-11-30T08:00",
            "every 2 weeks: Monday, 08:00 · next: Monday, 30 November 2026, 08:00",
        ),
        ("FREQ=DAILY", "2027-01-01T08:00", "every day, 08:00 · next: Friday, 1 January 2027, 08:00"),
    ],
)
def test_a_rule_that_says_its_next_time_is_confirmed_without_a_date(rule: str, start: str, told: str) -> None:
    now, first = datetime(2026, 11, 23, 11, tzinfo=UTC), datetime.fromisoformat(start).replace(tzinfo=UTC)
    one = reminder(next_at=first, start=start, rule=rule, zone="UTC")
    assert when_confirmed(words_in("en"), one, now, names_zone=False) == told
