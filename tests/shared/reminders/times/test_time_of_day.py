"""Times of day in words."""

import pytest

from shared.reminders.times.problem import UnusableTime
from shared.reminders.times.time_of_day import DayPart, TimeOfDay, split_time


@pytest.mark.parametrize(
    ("text", "said", "clock"),
    [
        ("weekday at 8", "weekday", "08:00:00"),
        ("2 weeks", "2 weeks", "None"),
        ("tonight at 8", "today", "20:00:00"),
        ("tomorrow afternoon at 12:30", "tomorrow", "12:30:00"),
        ("friday evenings at 6", "friday", "18:00:00"),
        ("day in the morning at 11:45", "day", "11:45:00"),
        ("quarter past seven pm", "", "19:15:00"),
        ("five minutes to nine", "", "08:55:00"),
        ("ten to 1", "", "00:50:00"),
        ("12 noon", "", "12:00:00"),
        ("12 at night", "", "00:00:00"),
        ("midnight", "", "00:00:00"),
    ],
)
def test_a_time_is_told_apart(text: str, said: str, clock: str) -> None:
    rest, found = split_time(text)
    assert (rest, str(found.clock())) == (said, clock)


def test_a_part_of_the_day_alone_has_no_time() -> None:
    assert split_time("tomorrow evening") == ("tomorrow", TimeOfDay(part=DayPart.EVENING))
    assert TimeOfDay(part=DayPart.EVENING).clock() is None


@pytest.mark.parametrize("text", ["13 in the morning", "noon in the morning", "12 in the evening", "5 at night"])
def test_an_hour_that_is_not_in_its_part_is_refused(text: str) -> None:
    _, found = split_time(text)
    with pytest.raises(UnusableTime, match="not in that part"):
        found.clock()


@pytest.mark.parametrize("text", ["25:00", "14pm", "7:75", "morning and evening at 8"])
def test_what_no_clock_shows_is_refused(text: str) -> None:
    with pytest.raises(UnusableTime):
        split_time(text)


@pytest.mark.parametrize(
    ("text", "is_of_two"), [("midnight", True), ("2 at night", True), ("11 at night", False), ("2:00", False)]
)
def test_the_small_hours_of_a_night_are_of_two_days(text: str, is_of_two: bool) -> None:
    assert split_time(text)[1].is_of_two_days is is_of_two
