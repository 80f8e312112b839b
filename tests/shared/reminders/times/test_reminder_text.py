"""Reminders in words."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.base.wording.words import words_in
from shared.reminders.times.reminder_text import next_time_text, short_time_text
from shared.values.evolve import evolve
from tests.shared.reminding import reminder


def test_the_day_the_time_and_the_zone_are_told() -> None:
    one = reminder(next_at=datetime(2026, 11, 27, 16, tzinfo=UTC), zone="Europe/Berlin", start="2026-11-27T17:00:00")
    assert next_time_text(words_in("en"), one) == "Friday, 27 November 2026, 17:00 (Europe/Berlin)"
    each = evolve(one, rule="FREQ=WEEKLY;BYDAY=FR")
    told = next_time_text(words_in("en"), each)
    assert all(part in told for part in ("Friday", "17:00", "Europe/Berlin", "27 November 2026"))
    assert next_time_text(words_in("en"), evolve(one, next_at=None)) == ""


@pytest.mark.parametrize(
    ("language", "at", "told"),
    [
        ("en", "2026-11-23T20:00", "Today at 20:00"),
        ("en", "2026-11-24T09:00", "Tomorrow at 09:00"),
        ("en", "2026-11-25T09:00", "Wednesday at 09:00"),
        ("en", "2026-11-29T09:00", "Sunday at 09:00"),
        # the same day of the next week is named by its date
        ("en", "2026-11-30T09:00", "Monday, 30 November 2026, 09:00"),
        ("de", "2026-11-24T09:00", "Morgen um 09:00"),
        ("ru", "2026-11-24T09:00", "Завтра в 09:00"),
        ("ja", "2026-11-25T09:00", "水曜日 09:00"),
    ],
)
def test_what_was_set_is_confirmed_with_as_much_of_its_day_as_is_needed(language: str, at: str, told: str) -> None:
    now, first = datetime(2026, 11, 23, 11, tzinfo=UTC), datetime.fromisoformat(at).replace(tzinfo=UTC)
    one = reminder(next_at=first, start=at, zone="UTC")
    assert short_time_text(words_in(language), one, now, names_zone=False) == told
    assert "UTC" in short_time_text(words_in(language), one, now, names_zone=True)


def test_in_the_small_hours_tomorrow_is_told_by_its_name() -> None:
    now = datetime(2026, 11, 24, 0, 30, tzinfo=UTC)
    told = [
        short_time_text(words_in("en"), reminder(next_at=now + timedelta(hours=ahead)), now, names_zone=False)
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
    assert short_time_text(words_in("en"), one, now, names_zone=False) == told
