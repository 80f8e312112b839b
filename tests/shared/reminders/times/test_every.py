"""Repetitions as models write them."""

import pytest

from shared.reminders.times.every import read_every
from shared.reminders.times.problem import UnusableTime


@pytest.mark.parametrize(
    ("value", "rule", "at"),
    [
        ("FREQ=WEEKLY;BYDAY=FR", "FREQ=WEEKLY;BYDAY=FR", "None"),
        ("RRULE:FREQ=DAILY;BYHOUR=8", "FREQ=DAILY;BYHOUR=8", "None"),
        ("DTSTART:20261127T080000\nRRULE:FREQ=DAILY", "FREQ=DAILY", "None"),
        ("RRULE: FREQ=DAILY; COUNT=3", "FREQ=DAILY;COUNT=3", "None"),
        ("FREQ=WEEKLY; INTERVAL=2; BYDAY=MO, WE", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE", "None"),
        ("FREQ=WEEKLY;\n BYDAY=TU", "FREQ=WEEKLY;BYDAY=TU", "None"),
        ("freq=weekly byday=tu", "FREQ=WEEKLY;BYDAY=TU", "None"),
        ("RRULE=FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=MONTHLY;BYMONTHDAY=31", "None"),
        ("FREQ=WEEKLY;BYDAY=Mon,Wednesday", "FREQ=WEEKLY;BYDAY=MO,WE", "None"),
        ("BEGIN:VEVENT\nSUMMARY:Tea = good\nRRULE:FREQ=DAILY\nEND:VEVENT", "FREQ=DAILY", "None"),
        ("RRULE:FREQ=DAILY\nSUMMARY:Drink some tea", "FREQ=DAILY", "None"),
        ("BEGIN:VEVENT RRULE:FREQ=DAILY END:VEVENT", "FREQ=DAILY", "None"),
        ("the rule is FREQ=DAILY;INTERVAL=2", "FREQ=DAILY;INTERVAL=2", "None"),
        ("MO,WE,FR", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "None"),
        ("tu/th at 18:00", "FREQ=WEEKLY;BYDAY=TU,TH", "18:00:00"),
        ("Mo-Fr", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "None"),
        ("1st monday", "FREQ=MONTHLY;BYDAY=1MO", "None"),
        ("day at 24:00", "FREQ=DAILY", "00:00:00"),
        ("every noon", "FREQ=DAILY", "12:00:00"),
        ("each 17:30", "FREQ=DAILY", "17:30:00"),
        ("daily, 9:00", "FREQ=DAILY", "09:00:00"),
        ("daily @ 9am", "FREQ=DAILY", "09:00:00"),
        ("every morning, at 7:30", "FREQ=DAILY", "07:30:00"),
        ("every monday, 18:00", "FREQ=WEEKLY;BYDAY=MO", "18:00:00"),
        ("weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "None"),
        ("every weekday at 8", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "08:00:00"),
        ("Weekdays 8:30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "08:30:00"),
        ("weekend", "FREQ=WEEKLY;BYDAY=SA,SU", "None"),
        ("day", "FREQ=DAILY", "None"),
        ("every day at 9am", "FREQ=DAILY", "09:00:00"),
        ("everyday at 9am", "FREQ=DAILY", "09:00:00"),
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
        ("on weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "None"),
        ("every other day at 9", "FREQ=DAILY;INTERVAL=2", "09:00:00"),
        ("every other monday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "None"),
        ("every two weeks on tuesday and thursday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", "None"),
        ("every week on Mondays at 9:00", "FREQ=WEEKLY;BYDAY=MO", "09:00:00"),
        ("fortnightly", "FREQ=WEEKLY;INTERVAL=2", "None"),
        ("quarterly", "FREQ=MONTHLY;INTERVAL=3", "None"),
        ("half hour", "FREQ=MINUTELY;INTERVAL=30", "None"),
        ("once a week", "FREQ=WEEKLY", "None"),
        ("every day except sunday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA", "None"),
        ("weekdays but not on friday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH", "None"),
        ("the first Monday of the month", "FREQ=MONTHLY;BYDAY=1MO", "None"),
        ("second tuesday of every month at 18:00", "FREQ=MONTHLY;BYDAY=2TU", "18:00:00"),
        ("first and third monday of the month", "FREQ=MONTHLY;BYDAY=1MO,3MO", "None"),
        ("last working day of the month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "None"),
        ("last day of the month", "FREQ=MONTHLY;BYMONTHDAY=-1", "None"),
        ("every first of the month at 9am", "FREQ=MONTHLY;BYMONTHDAY=1", "09:00:00"),
        ("the 15th of each month", "FREQ=MONTHLY;BYMONTHDAY=15", "None"),
        ("1st and 15th of the month", "FREQ=MONTHLY;BYMONTHDAY=1,15", "None"),
        ("month on the 31st", "FREQ=MONTHLY;BYMONTHDAY=31", "None"),
        ("3 months on the 1st", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1", "None"),
        ("month on the last friday", "FREQ=MONTHLY;BYDAY=-1FR", "None"),
        ("year on 29 february", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "None"),
        ("2 years on january 5th", "FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYMONTHDAY=5", "None"),
        ("every 24 december at 18:00", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "18:00:00"),
    ],
)
def test_a_repetition_is_read(value: str, rule: str, at: str) -> None:
    found = read_every(value)
    assert (found.recurrence.rule, str(found.said.at)) == (rule, at)


@pytest.mark.parametrize(
    "value",
    [
        "now and then",
        "0 days",
        "99999 days",
        "second",
        "30 seconds",
        "0 8 * * 1-5",
        "freq",
        "every",
        "17:30",
        "at noon",
        "FREQ=X",
        "FREQ=WEEKLY;BYDAY=Moonday",
        "RRULE:FREQ=DAILY\nEXDATE:20261225T090000",
        "FREQ=DAILY;EXDATE=20261225",
        "FREQ=WEEKLY;BYDAY=MO RRULE:FREQ=WEEKLY;BYDAY=TU",
        "INTERVAL=2 FREQUENTLY",
        "FREQ=WEEKLY;BYDAY=MO WE",
        "FREQ=WEEKLY;BYDAY=MO and WE",
        "FREQ=DAILY at 9:00",
        "twice a day",
        "nightly at 10",
        "biweekly",
        "second friday",
        "weekdays except",
        "every day except holidays",
        "of the month",
        "32nd of the month",
    ],
)
def test_what_is_none_is_refused(value: str) -> None:
    with pytest.raises(UnusableTime):
        read_every(value)


def test_a_rule_of_ten_thousand_values_is_refused() -> None:
    with pytest.raises(UnusableTime, match="at most 500 characters"):
        read_every(f"FREQ=YEARLY;BYYEARDAY={','.join(['1'] * 10_000)}")
