"""Days and times of day as models write them."""

from datetime import datetime

import pytest

from shared.scheduling.clock import read_moment, split_time, weekday_of
from shared.scheduling.problem import Unusable

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
        ("today 18:00", "2026-11-23T18:00"),
        ("today at 8", "2026-11-23T08:00"),
        ("Tomorrow at 9am", "2026-11-24T09:00"),
        ("tomorrow", "2026-11-24T09:00"),
        ("the day after tomorrow, 10:15", "2026-11-25T10:15"),
        ("Friday 17:00", "2026-11-27T17:00"),
        ("next friday at 17:00", "2026-11-27T17:00"),
        ("on Fri", "2026-11-27T09:00"),
        ("monday 13:00", "2026-11-23T13:00"),
        ("monday 11:00", "2026-11-30T11:00"),
    ],
)
def test_a_moment_is_the_next_such_time(text: str, civil: str) -> None:
    assert read_moment(text, HERE).next_after(HERE) == datetime.fromisoformat(civil)


@pytest.mark.parametrize(
    "text", ["", "soon", "25:00", "17:60", "13 o'clock tea", "2026-13-40", "2026-02-30T10:00", "yesterday 9:00", "17"]
)
def test_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(Unusable):
        read_moment(text, HERE)


def test_an_offset_is_told() -> None:
    assert str(read_moment("2026-11-27T17:00+01:00", HERE).offset) == "1:00:00"
    assert read_moment("2026-11-27T17:00", HERE).offset is None


@pytest.mark.parametrize(
    ("text", "said", "at"), [("weekday at 8", "weekday", "08:00:00"), ("2 weeks", "2 weeks", "None")]
)
def test_a_time_at_the_end_is_told_apart(text: str, said: str, at: str) -> None:
    rest, found = split_time(text)
    assert (rest, str(found)) == (said, at)


@pytest.mark.parametrize(
    ("word", "day"),
    [("monday", 0), ("tue", 1), ("thurs", 3), ("fridays", 4), ("sun", 6), ("mo", None), ("days", None), ("day", None)],
)
def test_days_of_the_week_are_known_by_their_beginning(word: str, day: int | None) -> None:
    assert weekday_of(word) == day
