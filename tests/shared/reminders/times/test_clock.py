"""Days and times of day as models write them."""

from datetime import datetime

import pytest

from shared.reminders.times.clock import read_date_time
from shared.reminders.times.problem import UnusableTime
from shared.reminders.times.recurrence import weekday_of

HERE = datetime(2026, 11, 23, 12)  # a Monday


@pytest.mark.parametrize(
    ("text", "civil"),
    [
        ("2026-11-27T17:00", "2026-11-27T17:00"),
        ("2026-11-27 17:00", "2026-11-27T17:00"),
        ("2026-11-27T17:00:30.5", "2026-11-27T17:00:30"),
        ("20261127T170000", "2026-11-27T17:00"),
        ("2026-11-27", "2026-11-27T09:00"),
        ("17:00", "2026-11-23T17:00"),
        ("11:59", "2026-11-24T11:59"),
        ("12:00", "2026-11-24T12:00"),
        ("T17:00:00", "2026-11-23T17:00"),
        ("at 5", "2026-11-24T05:00"),
        ("5pm", "2026-11-23T17:00"),
        ("5:30 p.m.", "2026-11-23T17:30"),
        ("12am", "2026-11-24T00:00"),
        ("12 pm", "2026-11-24T12:00"),
        ("17h", "2026-11-23T17:00"),
        ("17h30", "2026-11-23T17:30"),
        ("midnight", "2026-11-24T00:00"),
        ("24:00", "2026-11-24T00:00"),
        ("today at 24:00", "2026-11-24T00:00"),
        ("2026-11-27T24:00", "2026-11-28T00:00"),
        ("2026-12-31 24:00:00", "2027-01-01T00:00"),
        ("later today at 5pm", "2026-11-23T17:00"),
        ("upcoming friday at 9", "2026-11-27T09:00"),
        ("today 18:00", "2026-11-23T18:00"),
        ("today at 8", "2026-11-23T08:00"),
        ("Tomorrow at 9am", "2026-11-24T09:00"),
        ("tomorrow", "2026-11-24T09:00"),
        ("the day after tomorrow, 10:15", "2026-11-25T10:15"),
        ("Friday 17:00", "2026-11-27T17:00"),
        ("next monday at 13:00", "2026-11-30T13:00"),
        ("this monday at 13:00", "2026-11-23T13:00"),
        ("this friday", "2026-11-27T09:00"),
        ("friday week at 9", "2026-12-04T09:00"),
        ("monday week at 13:00", "2026-11-30T13:00"),
        ("a week on friday at 9", "2026-12-04T09:00"),
        ("wednesday next week, 10:00", "2026-12-02T10:00"),
        ("next week on wednesday at 10", "2026-12-02T10:00"),
        ("in 3 days at 9", "2026-11-26T09:00"),
        ("in two weeks at 9:00", "2026-12-07T09:00"),
        ("in a month at noon", "2026-12-23T12:00"),
        ("tonight at 8", "2026-11-23T20:00"),
        ("tonight at 20:00", "2026-11-23T20:00"),
        ("at 8 tonight", "2026-11-23T20:00"),
        ("tonight at 1", "2026-11-24T01:00"),
        ("tonight at midnight", "2026-11-24T00:00"),
        ("today at midnight", "2026-11-24T00:00"),
        ("this evening at 7", "2026-11-23T19:00"),
        ("7 this evening", "2026-11-23T19:00"),
        ("tomorrow morning at 8", "2026-11-24T08:00"),
        ("8am tomorrow", "2026-11-24T08:00"),
        ("tomorrow afternoon at 2", "2026-11-24T14:00"),
        ("friday evening at 6:30", "2026-11-27T18:30"),
        ("8 in the evening", "2026-11-23T20:00"),
        ("eight o'clock in the evening", "2026-11-23T20:00"),
        ("9 at night", "2026-11-23T21:00"),
        ("2 at night", "2026-11-24T02:00"),
        ("half past eight", "2026-11-24T08:30"),
        ("half past eight in the evening", "2026-11-23T20:30"),
        ("quarter to nine pm", "2026-11-23T20:45"),
        ("ten past 6 tomorrow", "2026-11-24T06:10"),
        ("tomorrow at noon", "2026-11-24T12:00"),
        ("noon tomorrow", "2026-11-24T12:00"),
        ("30.11.2026 20:00", "2026-11-30T20:00"),
        ("30.11. 20:00", "2026-11-30T20:00"),
        ("5.11.2026", "2026-11-05T09:00"),
        ("5.1. at 9", "2027-01-05T09:00"),
        ("30/11/2026 20:00", "2026-11-30T20:00"),
        ("11/30/2026 8pm", "2026-11-30T20:00"),
        ("2026/11/30 20:00", "2026-11-30T20:00"),
        ("2026-11-30 at 8pm", "2026-11-30T20:00"),
        ("30 November at 20:00", "2026-11-30T20:00"),
        ("November 30th, 2026, 8 pm", "2026-11-30T20:00"),
        ("the 5th of January at 9", "2027-01-05T09:00"),
        ("29 feb at 9", "2028-02-29T09:00"),
        ("on the 30th at 9", "2026-11-30T09:00"),
        ("the 31st at 9", "2026-12-31T09:00"),
        ("Friday, 27 November at 9", "2026-11-27T09:00"),
        ("on Fri", "2026-11-27T09:00"),
        ("monday 13:00", "2026-11-23T13:00"),
        ("monday 11:00", "2026-11-30T11:00"),
    ],
)
def test_a_moment_is_the_next_such_time(text: str, civil: str) -> None:
    assert read_date_time(text, HERE).next_after(HERE) == datetime.fromisoformat(civil)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "25:00",
        "24:30",
        "2026-02-30T24:00",
        "7-30",
        "17:60",
        "13 o'clock tea",
        "2026-13-40",
        "2026-02-30T10:00",
        "yesterday 9:00",
        "17",
        "8 in the morning in the evening",
        "next week",
        "half eight",
        "in the morning at 13:00",
        "31.4.2026 9:00",
        "32 november",
        "last friday at 9",
        "13:00 pm",
        "5.11",
    ],
)
def test_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(UnusableTime):
        read_date_time(text, HERE)


def test_an_offset_is_told() -> None:
    assert str(read_date_time("2026-11-27T17:00+01:00", HERE).offset) == "1:00:00"
    assert read_date_time("2026-11-27T17:00", HERE).offset is None


@pytest.mark.parametrize(
    ("word", "day"),
    [("monday", 0), ("tue", 1), ("thurs", 3), ("fridays", 4), ("sun", 6), ("mo", None), ("days", None), ("day", None)],
)
def test_days_of_the_week_are_known_by_their_beginning(word: str, day: int | None) -> None:
    assert weekday_of(word) == day
