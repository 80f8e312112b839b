"""Repetitions as models write them."""

from datetime import datetime

import pytest

from shared.scheduling.every import read_every
from shared.scheduling.problem import Unusable


@pytest.mark.parametrize(
    ("value", "rule", "at"),
    [
        ("FREQ=WEEKLY;BYDAY=FR", "FREQ=WEEKLY;BYDAY=FR", "None"),
        ("RRULE:FREQ=DAILY;BYHOUR=8", "FREQ=DAILY;BYHOUR=8", "None"),
        ("DTSTART:20261127T080000\nRRULE:FREQ=DAILY", "FREQ=DAILY", "None"),
        ("weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "None"),
        ("every weekday at 8", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "08:00:00"),
        ("Weekdays 8:30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "08:30:00"),
        ("weekend", "FREQ=WEEKLY;BYDAY=SA,SU", "None"),
        ("day", "FREQ=DAILY", "None"),
        ("every day at 9am", "FREQ=DAILY", "09:00:00"),
        ("daily", "FREQ=DAILY", "None"),
        ("morning", "FREQ=DAILY", "None"),
        ("friday", "FREQ=WEEKLY;BYDAY=FR", "None"),
        ("every Friday at 17:00", "FREQ=WEEKLY;BYDAY=FR", "17:00:00"),
        ("on Fridays", "FREQ=WEEKLY;BYDAY=FR", "None"),
        ("Mon, Wed and Fri", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "None"),
        ("monday-friday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "None"),
        ("saturday to monday", "FREQ=WEEKLY;BYDAY=SA,SU,MO", "None"),
        ("week", "FREQ=WEEKLY", "None"),
        ("2 weeks", "FREQ=WEEKLY;INTERVAL=2", "None"),
        ("other day", "FREQ=DAILY;INTERVAL=2", "None"),
        ("10 minutes", "FREQ=MINUTELY;INTERVAL=10", "None"),
        ("hour", "FREQ=HOURLY", "None"),
        ("month", "FREQ=MONTHLY", "None"),
        ("3 months", "FREQ=MONTHLY;INTERVAL=3", "None"),
        ("last friday of the month", "FREQ=MONTHLY;BYDAY=-1FR", "None"),
        ("first monday", "FREQ=MONTHLY;BYDAY=1MO", "None"),
        ("yearly", "FREQ=YEARLY", "None"),
    ],
)
def test_a_repetition_is_read(value: str, rule: str, at: str) -> None:
    found = read_every(value)
    assert (found.recurrence.rule, str(found.at)) == (rule, at)


@pytest.mark.parametrize(
    "value", ["now and then", "0 days", "99999 days", "second", "30 seconds", "0 8 * * 1-5", "freq", "every", "FREQ=X"]
)
def test_what_is_none_is_refused(value: str) -> None:
    with pytest.raises(Unusable):
        read_every(value)


def test_a_rule_of_ten_thousand_values_is_refused() -> None:
    with pytest.raises(Unusable, match="at most 500 characters"):
        read_every(f"FREQ=YEARLY;BYYEARDAY={','.join(['1'] * 10_000)}")


@pytest.mark.parametrize(
    ("value", "start", "rule"),
    [
        ("month", datetime(2026, 1, 28), "FREQ=MONTHLY"),
        ("month", datetime(2026, 1, 30), "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
        ("2 months", datetime(2026, 1, 31), "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"),
        ("year", datetime(2028, 2, 29), "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"),
        ("year", datetime(2026, 1, 31), "FREQ=YEARLY"),
        ("FREQ=MONTHLY;BYMONTHDAY=31", datetime(2026, 1, 31), "FREQ=MONTHLY;BYMONTHDAY=31"),
    ],
)
def test_a_day_that_a_month_lacks_is_its_last_one(value: str, start: datetime, rule: str) -> None:
    assert read_every(value).from_day(start).rule == rule
