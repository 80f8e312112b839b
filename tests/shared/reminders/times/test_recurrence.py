"""A recurrence, and how it is written."""

from datetime import datetime

import pytest
from hypothesis import given, settings

from shared.reminders.times.recurrence import Frequency, Recurrence
from shared.reminders.times.rule import read_rule
from tests.shared.reminders.times.rules import recurrences


@pytest.mark.parametrize(
    ("recurrence", "rule"),
    [
        (Recurrence(frequency=Frequency.DAILY), "FREQ=DAILY"),
        (Recurrence(frequency=Frequency.WEEKLY, weekdays=((0, 0), (4, 0))), "FREQ=WEEKLY;BYDAY=MO,FR"),
        (
            Recurrence(frequency=Frequency.MONTHLY, interval=2, weekdays=((4, -1),), count=3),
            "FREQ=MONTHLY;INTERVAL=2;COUNT=3;BYDAY=-1FR",
        ),
        (
            Recurrence(frequency=Frequency.DAILY, until=datetime(2026, 12, 31, 17), hours=(8,), week_start=6),
            "FREQ=DAILY;UNTIL=20261231T170000;BYHOUR=8;WKST=SU",
        ),
    ],
)
def test_it_is_written_as_the_rfc_writes_it(recurrence: Recurrence, rule: str) -> None:
    assert recurrence.rule == rule


@given(recurrences())
@settings(max_examples=100)
def test_what_is_written_is_read_as_the_same(recurrence: Recurrence) -> None:
    assert read_rule(recurrence.rule) == recurrence


@pytest.mark.parametrize(("rule", "says"), [("FREQ=YEARLY;BYMONTHDAY=1", True), ("FREQ=YEARLY;BYMONTH=2", False)])
def test_it_knows_whether_it_says_which_days_are_meant(rule: str, says: bool) -> None:
    assert read_rule(rule).names_days is says
