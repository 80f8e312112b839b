"""Reads days and times as models write them: `2026-11-27T17:00`, `friday at 17:00`, `30.11.2026`, `in 2 weeks`."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final

from shared.reminders.times.problem import UnusableTime
from shared.reminders.times.recurrence import month_of, weekday_of
from shared.reminders.times.spans import read_span
from shared.reminders.times.time_of_day import NO_HOUR, UNSAID, WHICH_NIGHT, TimeOfDay, split_time

#: the time of day if only a day is given
MORNING: Final = time(9)

HAS_OFFSET: Final = "Times are civil ones: write `at` and DTSTART without Z and without an offset."
UNREADABLE: Final = "`at` is a civil day and time to come (YYYY-MM-DDTHH:MM), or a time of day (HH:MM)."
WHICH_WEEK: Final = "That may be in this week or in the next one. Ask which, or write the day: YYYY-MM-DDTHH:MM."
WHICH_ORDER: Final = "That date may be read in two ways. Write it as YYYY-MM-DD."
NO_SUCH_DATE: Final = "That date does not exist, or is another day of the week. Write the right one: YYYY-MM-DDTHH:MM."

_AROUND: Final = re.compile(r"\b(?:on|coming|upcoming|later|the|at|of)\b|,")
_AHEAD: Final = {"today": 0, "tomorrow": 1, "day after tomorrow": 2}
_IN_A_WEEK: Final = re.compile(r"(?:a )?week ([a-z]+)|([a-z]+) (?:in a )?week")
_NEXT_WEEK: Final = re.compile(r"next week ([a-z]+)|([a-z]+) (?:in )?next week")
_SPAN: Final = re.compile(r"in .+|.+ from (?:now|today)")
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")
_NUMBERS: Final = re.compile(r"(?![0-9]+-[0-9]+$)([0-9]{1,2})([./-])([0-9]{1,2})(?:\2(?:([0-9]{4}|[0-9]{2}))?)?")
_DAY: Final = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_DAY_FIRST: Final = re.compile(rf"{_DAY}\.? ([a-z]{{3,}})\.?(?: ([0-9]{{4}}))?")
_MONTH_FIRST: Final = re.compile(rf"([a-z]{{3,}})\.? {_DAY}(?: ([0-9]{{4}}))?")
_OF_MONTH: Final = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)")
#: how many years to search for a day without a year: 29 February occurs within eight
_YEARS: Final = 9


@dataclass(frozen=True, kw_only=True)
class PartialDateTime:
    """A day and a time of day, each as far as it was given."""

    day: date | None = None
    #: 0 for Monday
    weekday: int | None = None
    said: TimeOfDay = UNSAID
    #: the offset from UTC, if it was given
    offset: timedelta | None = None

    @property
    def has_day(self) -> bool:
        """Return whether a day was given, not only a time."""
        return self.day is not None or self.weekday is not None

    def at_time(self, said: TimeOfDay) -> "PartialDateTime":
        """Return the same day at another time of day."""
        return replace(self, said=said)

    def next_after(self, here: datetime) -> datetime:
        """Return the civil time that is meant; `here` is the civil time now.

        If only a time of day or a day of the week was given, the next one is meant. Raises UnusableTime if a part of
        the day ("evening") was given without an hour, or if it is unclear to which day a night belongs.
        """
        at, day = self._clock(), self.day
        if self.said.is_of_two_days:
            if self.weekday is not None or day not in {None, here.date()}:
                raise UnusableTime(WHICH_NIGHT)
            day = None
        if day is not None:
            return datetime.combine(day, at)
        ahead = 0 if self.weekday is None else (self.weekday - here.weekday()) % 7
        found = datetime.combine(here.date() + timedelta(days=ahead), at)
        return found if found > here else found + timedelta(days=1 if self.weekday is None else 7)

    def _clock(self) -> time:
        clock = self.said.clock()
        if clock is None and self.said.part is not None:
            raise UnusableTime(NO_HOUR)
        return clock if clock is not None else MORNING


def read_date_time(text: str, here: datetime) -> PartialDateTime:
    """Return the day and time in a text; `here` is the civil time now. Raises UnusableTime."""
    found = _iso(text.strip())
    if found is not None:
        return found
    said, at = split_time(" ".join(text.strip().lower().split()))
    weekday = weekday_of(_plain(said))
    if weekday is not None:
        return PartialDateTime(weekday=weekday, said=at)
    day = read_day(said, here, at.clock())
    if day is None and at.at is None:
        raise UnusableTime(NO_HOUR if at.part else UNREADABLE)
    return PartialDateTime(day=day, said=at)


def _iso(text: str) -> PartialDateTime | None:
    """Return a day, or a day and time, in ISO 8601; None for other texts. A time alone is read by `split_time`."""
    ends = re.fullmatch(r"([0-9-]{8,10})[T ]24:00(?::00)?", text)  # 24:00 is the end of that day
    try:
        if ends:
            return PartialDateTime(day=date.fromisoformat(ends[1]) + timedelta(days=1), said=TimeOfDay(time(0)))
        return PartialDateTime(day=date.fromisoformat(text))
    except ValueError:
        pass
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return PartialDateTime(
        day=found.date(), said=TimeOfDay(found.time().replace(microsecond=0)), offset=found.utcoffset()
    )


def read_day(text: str, here: datetime, at: time | None) -> date | None:
    """Return the day that a lower-case text names; None for an empty text. `here` is the civil time now.

    A date without a year means the next such date; today's date counts if the time `at` is still to come. Raises
    UnusableTime if the text is ambiguous.
    """
    said = _plain(text)
    if not said:
        return None
    if said in _AHEAD:
        return here.date() + timedelta(days=_AHEAD[said])
    found = _day_of_week(said, here) or (at and _in_span(said, here)) or _date_in(said, here, at)
    if found is None:
        raise UnusableTime(UNREADABLE)
    return found


def _plain(text: str) -> str:
    return " ".join(_AROUND.sub(" ", text).split())


def _day_of_week(said: str, here: datetime) -> date | None:
    """Return the day for texts such as `this friday`, `friday next week`, `friday in a week`; None for others."""
    which, _, word = said.rpartition(" ")
    day = weekday_of(word)
    if day is not None and which in {"this", "next"}:
        ahead = (day - here.weekday()) % 7
        if which == "next" and day > here.weekday():
            raise UnusableTime(WHICH_WEEK)
        return here.date() + timedelta(days=ahead or (7 if which == "next" else 0))
    if (found := _NEXT_WEEK.fullmatch(said)) and (day := weekday_of(found[1] or found[2])) is not None:
        return here.date() + timedelta(days=7 - here.weekday() + day)
    if (found := _IN_A_WEEK.fullmatch(said)) and (day := weekday_of(found[1] or found[2])) is not None:
        return here.date() + timedelta(days=(day - here.weekday()) % 7 + 7)
    return None


def _in_span(said: str, here: datetime) -> date | None:
    """Return the day that is a number of days, weeks or months ahead; None if the text is not such a span.

    Called only if the text also has a time of day. A span alone counts from now, and is read by `read_span`.
    """
    span = read_span(said.removesuffix(" from today").removesuffix(" from now")) if _SPAN.fullmatch(said) else None
    return span.day_after(here.date()) if span is not None else None


def _date_in(said: str, here: datetime, at: time | None) -> date | None:
    """Return a day given by its date, perhaps after a day of the week. Raises UnusableTime."""
    word, _, rest = said.partition(" ")
    weekday = weekday_of(word)
    numbers = _date_numbers(rest if weekday is not None else said)
    if numbers is None:
        return None
    try:
        found = next(_dates(*numbers, here, at))
    except (StopIteration, ValueError) as cause:
        raise UnusableTime(NO_SUCH_DATE) from cause
    if weekday is not None and found.weekday() != weekday:
        raise UnusableTime(NO_SUCH_DATE)
    return found


def _date_numbers(said: str) -> tuple[int | None, int | None, int] | None:
    """Return year, month and day of a date; the month is None for a day of any month.

    Raises UnusableTime for a date such as 5/6/2026, which may be read in two ways.
    """
    if found := _YEAR_FIRST.fullmatch(said):
        return int(found[1]), int(found[2]), int(found[3])
    if found := _NUMBERS.fullmatch(said):
        first, second = int(found[1]), int(found[3])
        year = int(found[4]) % 2000 + 2000 if found[4] else None
        if found[2] != "." and first != second and max(first, second) <= 12:
            raise UnusableTime(WHICH_ORDER)
        is_day_first = found[2] == "." or first > 12 or first == second
        return (year, second, first) if is_day_first else (year, first, second)
    if (found := _DAY_FIRST.fullmatch(said)) and (month := month_of(found[2])):
        return (int(found[3]) if found[3] else None), month, int(found[1])
    if (found := _MONTH_FIRST.fullmatch(said)) and (month := month_of(found[1])):
        return (int(found[3]) if found[3] else None), month, int(found[2])
    found = _OF_MONTH.fullmatch(said)
    return (None, None, int(found[1])) if found else None


def _dates(year: int | None, month: int | None, day: int, here: datetime, at: time | None) -> Iterator[date]:
    """Yield the days that a date may mean, the next one first. Raises ValueError for 31 April of a given year."""
    if year is not None and month is not None:
        yield date(year, month, day)
        return
    for some in range(here.year, here.year + _YEARS):
        for one in [month] if month is not None else range(1, 13):
            if 1 <= day <= calendar.monthrange(some, one)[1]:
                found = date(some, one, day)
                if datetime.combine(found, at or time.max) > here:
                    yield found
