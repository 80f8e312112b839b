"""Spans of time as models write them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings, strategies

from shared.reminders.times.civil import civil_of
from shared.reminders.times.spans import TimeSpan, read_span

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 23, 11, tzinfo=UTC)  # a Monday, 12:00 in Berlin


@pytest.mark.parametrize(
    ("value", "span"),
    [
        (10, TimeSpan(seconds=600)),
        (1.5, TimeSpan(seconds=90)),
        ("10", TimeSpan(seconds=600)),
        ("10 minutes", TimeSpan(seconds=600)),
        ("in 10 min", TimeSpan(seconds=600)),
        ("10m", TimeSpan(seconds=600)),
        ("30 seconds", TimeSpan(seconds=30)),
        ("90s", TimeSpan(seconds=90)),
        ("an hour", TimeSpan(seconds=3600)),
        ("half an hour", TimeSpan(seconds=1800)),
        ("an hour and a half", TimeSpan(seconds=5400)),
        ("in two and a half hours", TimeSpan(seconds=9000)),
        ("a year and a half", TimeSpan(months=18)),
        ("an hour and a half and 5 minutes", TimeSpan(seconds=5700)),
        ("1h30m", TimeSpan(seconds=5400)),
        ("1 hour and 30 minutes", TimeSpan(seconds=5400)),
        ("1,5 hours", TimeSpan(seconds=5400)),
        ("2 hours from now", TimeSpan(seconds=7200)),
        ("3 days", TimeSpan(days=3)),
        ("2 Weeks", TimeSpan(days=14)),
        ("1 month", TimeSpan(months=1)),
        ("a year", TimeSpan(months=12)),
        ("PT10M", TimeSpan(seconds=600)),
        ("PT1H30M", TimeSpan(seconds=5400)),
        ("P1D", TimeSpan(days=1)),
        ("P1M", TimeSpan(months=1)),
        ("P1Y2M10DT2H30M5S", TimeSpan(months=14, days=10, seconds=9005)),
        ("P2W", TimeSpan(days=14)),
        ("half a day", TimeSpan(seconds=43_200)),
        ("half hour", TimeSpan(seconds=1800)),
        ("a quarter of an hour", TimeSpan(seconds=900)),
        ("three quarters of an hour", TimeSpan(seconds=2700)),
        ("a couple of hours", TimeSpan(seconds=7200)),
        ("in twenty minutes", TimeSpan(seconds=1200)),
        ("forty-five minutes", TimeSpan(seconds=2700)),
        ("one hour and fifteen minutes", TimeSpan(seconds=4500)),
        (240, TimeSpan(seconds=14_400)),
        ("twenty-five minutes", TimeSpan(seconds=1500)),
    ],
)
def test_a_span_is_read(value: object, span: TimeSpan) -> None:
    assert read_span(value) == span


@pytest.mark.parametrize(
    "value",
    [
        "", "soon", "10 bananas", "minutes", "P", "PT", "0", 0, -5, "-10 minutes", True, None, [10], {"minutes": 10},
        float("nan"), float("inf"), 10**30, "999999999 years", "17:00", "tomorrow", "10 minutes before lunch", "٣ days",
        600, "3600", "thirty-forty minutes",
    ],
)  # fmt: skip
def test_what_is_none_is_none(value: object) -> None:
    assert read_span(value) is None


@pytest.mark.parametrize(
    ("span", "shows"),
    [
        (TimeSpan(seconds=600), "2026-11-23T12:10"),
        (TimeSpan(days=1), "2026-11-24T12:00"),
        (TimeSpan(months=3), "2027-02-23T12:00"),
        (TimeSpan(months=1, days=1, seconds=60), "2026-12-24T12:01"),
    ],
)
def test_it_is_counted_from_an_instant(span: TimeSpan, shows: str) -> None:
    assert civil_of(span.after(NOW, BERLIN), BERLIN) == datetime.fromisoformat(shows)


def test_days_keep_the_time_of_day_when_the_clocks_change_and_hours_do_not() -> None:
    before = datetime(2026, 3, 28, 11, tzinfo=UTC)  # 12:00 in Berlin, the day before
    assert TimeSpan(days=1).after(before, BERLIN) - before == timedelta(hours=23)
    assert TimeSpan(seconds=24 * 3600).after(before, BERLIN) - before == timedelta(hours=24)


def test_a_month_from_the_31st_is_the_last_day_of_a_shorter_one() -> None:
    assert TimeSpan(months=1).after(datetime(2027, 1, 31, 12, tzinfo=UTC), UTC) == datetime(2027, 2, 28, 12, tzinfo=UTC)


@given(strategies.text(max_size=30) | strategies.floats() | strategies.integers())
@settings(max_examples=150)
def test_a_span_is_never_backwards(value: object) -> None:
    span = read_span(value)
    assert span is None or span.after(NOW, BERLIN) > NOW
