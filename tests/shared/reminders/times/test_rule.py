"""Rules of RFC 5545, as models write them."""

import contextlib
from datetime import datetime

import pytest
from hypothesis import given, settings, strategies

from shared.reminders.times.problem import UnusableTime
from shared.reminders.times.recurrence import Frequency, Recurrence
from shared.reminders.times.rule import LONGEST_RULE, read_rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("FREQ=WEEKLY;BYDAY=FR", "FREQ=WEEKLY;BYDAY=FR"),
        ("RRULE:FREQ=WEEKLY;BYDAY=FR", "FREQ=WEEKLY;BYDAY=FR"),
        (" freq=daily;interval=02 ", "FREQ=DAILY;INTERVAL=2"),
        ("FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("FREQ=DAILY;UNTIL=20261231T235959Z", "FREQ=DAILY;UNTIL=20261231T235959"),
        ("FREQ=DAILY;UNTIL=2026-12-31", "FREQ=DAILY;UNTIL=20261231T235959"),
        ("FREQ=DAILY;UNTIL=2026-12-31T17:00", "FREQ=DAILY;UNTIL=20261231T170000"),
        ("FREQ=MONTHLY;BYDAY=+1MO,-1FR,1MO;WKST=SU", "FREQ=MONTHLY;BYDAY=1MO,-1FR;WKST=SU"),
        ("FREQ=YEARLY;BYYEARDAY=-1;BYWEEKNO=-53", "FREQ=YEARLY;BYWEEKNO=-53;BYYEARDAY=-1"),
    ],
)
def test_a_rule_is_read(text: str, rule: str) -> None:
    assert read_rule(text).rule == rule


@pytest.mark.parametrize(
    "text",
    [
        "", "every day", "FREQ=", "FREQ=SECONDLY", "FREQ=FORTNIGHTLY", "INTERVAL=2", "FREQ=DAILY;FREQ=DAILY",
        "FREQ=DAILY;BYSECOND=0,30", "FREQ=DAILY;BYSECOND=7", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;INTERVAL=-1",
        "FREQ=DAILY;COUNT=0", "FREQ=DAILY;COUNT=x", "FREQ=DAILY;COUNT=99999999999999999999", "FREQ=DAILY;BYHOUR=24",
        "FREQ=DAILY;BYHOUR=", "FREQ=DAILY;BYHOUR=-1", "FREQ=DAILY;BYMINUTE=60", "FREQ=YEARLY;BYMONTH=13",
        "FREQ=YEARLY;BYMONTHDAY=0", "FREQ=YEARLY;BYEASTER=0", "FREQ=YEARLY;BYWEEKNO=54", "FREQ=MONTHLY;BYDAY=0FR,XX",
        "FREQ=WEEKLY;BYDAY=2FR", "FREQ=MONTHLY;BYWEEKNO=2", "FREQ=HOURLY;BYSETPOS=1", "FREQ=DAILY;UNTIL=tomorrow",
        "FREQ=DAILY;UNTIL=20261332", "FREQ=DAILY;UNTIL=20260230T100000", "FREQ=DAILY;WKST=XX", "FREQ=DAILY;X=1",
        "FREQ=DAILY;BYHOUR=٣", f"FREQ=YEARLY;BYYEARDAY={','.join(['1'] * 10_000)}",
    ],
)  # fmt: skip
def test_what_is_none_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(UnusableTime, match=r"^[A-Z].*\.$"):
        read_rule(text)


@given(strategies.text(max_size=60) | strategies.from_regex(r"FREQ=[A-Z]{5,8};[A-Z]{3,10}=[-0-9A-Z,]{0,20}"))
@settings(max_examples=200)
def test_whatever_is_written_is_a_rule_or_a_sentence(text: str) -> None:
    with contextlib.suppress(UnusableTime):
        rule = read_rule(text)
        assert read_rule(rule.rule) == rule


def test_a_long_rule_of_many_values_is_read() -> None:
    days = ",".join(str(day) for day in range(1, 100))
    text = f"FREQ=YEARLY;BYYEARDAY={days}"
    assert len(text) < LONGEST_RULE
    assert read_rule(text) == Recurrence(frequency=Frequency.YEARLY, year_days=tuple(range(1, 100)))


def test_a_day_counts_to_its_end() -> None:
    assert read_rule("FREQ=DAILY;UNTIL=20261231").until == datetime(2026, 12, 31, 23, 59, 59)


def test_why_is_a_sentence_that_quotes_nobody() -> None:
    with pytest.raises(UnusableTime) as refused:
        read_rule("FREQ=a secret")
    assert str(refused.value).endswith(".")
    assert "secret" not in str(refused.value).lower()
