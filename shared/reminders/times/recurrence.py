"""A recurrence: how something happens again and again, as RFC 5545 writes it, in civil time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

#: by their place in the week, as RFC 5545 and `datetime.weekday` have them
WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_CODES: Final = {name.lower(): day for day, name in enumerate(WEEKDAYS)}
_DAY_NAMES: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH_NAMES: Final = tuple(name.lower() for name in (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
))  # fmt: skip
WORKING_DAYS: Final = tuple((day, 0) for day in range(5))
_FREE: Final = ((5, 0), (6, 0))
WEEKDAY_SETS: Final = {"weekday": WORKING_DAYS, "workday": WORKING_DAYS, "working day": WORKING_DAYS, "weekend": _FREE}
_FROM_TO: Final = re.compile(r"([a-z]+)\s*(?:-|–|to|through|until)\s*([a-z]+)")


class Frequency(StrEnum):
    """What is counted from one time to the next. Seconds are left out: a minute is the shortest distance."""

    YEARLY = "YEARLY"
    MONTHLY = "MONTHLY"
    WEEKLY = "WEEKLY"
    DAILY = "DAILY"
    HOURLY = "HOURLY"
    MINUTELY = "MINUTELY"

    @property
    def is_of_day(self) -> bool:
        """Whether it comes by days or longer; else within a day."""
        return self not in {Frequency.HOURLY, Frequency.MINUTELY}


_FREQUENCIES: Final = {
    "minute": (Frequency.MINUTELY, 1), "min": (Frequency.MINUTELY, 1), "half hour": (Frequency.MINUTELY, 30),
    "half an hour": (Frequency.MINUTELY, 30), "quarter of an hour": (Frequency.MINUTELY, 15),
    "hour": (Frequency.HOURLY, 1), "hr": (Frequency.HOURLY, 1),
    "day": (Frequency.DAILY, 1), "dai": (Frequency.DAILY, 1),
    "week": (Frequency.WEEKLY, 1), "fortnight": (Frequency.WEEKLY, 2),
    "month": (Frequency.MONTHLY, 1), "quarter": (Frequency.MONTHLY, 3), "half year": (Frequency.MONTHLY, 6),
    "year": (Frequency.YEARLY, 1), "annual": (Frequency.YEARLY, 1),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Recurrence:
    """A rule of RFC 5545. What it leaves open (the time of day, the day) is taken from its first time.

    A day that some of its months lack (29, 30, 31) is the last one of these, as with SKIP=BACKWARD of RFC 7529.

    The numbers are those of the RFC; a day of the week is its place (0: Monday) and which one it is of the month or
    year (0: each, -1: the last).
    """

    frequency: Frequency
    interval: int = 1
    #: how many times in all; none: without an end
    count: int | None = None
    #: the civil time of the last possible one
    until: datetime | None = None
    months: tuple[int, ...] = ()
    weeks: tuple[int, ...] = ()
    year_days: tuple[int, ...] = ()
    month_days: tuple[int, ...] = ()
    weekdays: tuple[tuple[int, int], ...] = ()
    hours: tuple[int, ...] = ()
    minutes: tuple[int, ...] = ()
    #: which of all times of a period are meant
    positions: tuple[int, ...] = ()
    week_start: int = 0

    @property
    def names_days(self) -> bool:
        """Whether it says on which days of a week, month or year, so that the first time does not."""
        return bool(self.weeks or self.year_days or self.month_days or self.weekdays)

    @property
    def days(self) -> "Recurrence":
        """The rule without its end, and without its time of day, if that is one: the first time tells it."""
        endless = replace(self, count=None, until=None)
        is_one = len(self.hours) <= 1 and len(self.minutes) <= 1
        return replace(endless, hours=(), minutes=()) if is_one else endless

    @property
    def rule(self) -> str:
        """It as RFC 5545's RRULE; a civil time as UNTIL, as for what has no zone of its own."""
        return ";".join(f"{name}={value}" for name, value in self._parts())

    def _parts(self) -> Iterator[tuple[str, str]]:
        yield "FREQ", self.frequency.value
        if self.interval != 1:
            yield "INTERVAL", str(self.interval)
        if self.count is not None:
            yield "COUNT", str(self.count)
        if self.until is not None:
            yield "UNTIL", f"{self.until:%Y%m%dT%H%M%S}"
        for name, field in LISTS.items():
            if values := getattr(self, field):
                yield name, ",".join(_weekday(*one) if field == "weekdays" else str(one) for one in values)
        if self.week_start:
            yield "WKST", WEEKDAYS[self.week_start]


#: the parts of a rule that are lists, and the fields that have them
LISTS: Final = {
    "BYMONTH": "months",
    "BYWEEKNO": "weeks",
    "BYYEARDAY": "year_days",
    "BYMONTHDAY": "month_days",
    "BYDAY": "weekdays",
    "BYHOUR": "hours",
    "BYMINUTE": "minutes",
    "BYSETPOS": "positions",
}


def _weekday(day: int, which: int) -> str:
    return f"{which or ''}{WEEKDAYS[day]}"


def weekday_of(text: str) -> int | None:
    """The day of the week that a word names in English, in full or by three letters at least; 0: Monday."""
    word = text.removesuffix("s") if text.endswith("days") else text
    if len(word) < 3:
        return None
    return next((number for number, name in enumerate(_DAY_NAMES) if name.startswith(word)), None)


def month_of(text: str) -> int | None:
    """The month that a word names in English, in full or by three letters at least; 1: January."""
    if len(text) < 3:
        return None
    return next((number for number, name in enumerate(_MONTH_NAMES, 1) if name.startswith(text)), None)


def weekdays_of(said: str) -> tuple[tuple[int, int], ...]:
    """The days of the week that are named; none: something else is said."""
    known = WEEKDAY_SETS.get(said) or WEEKDAY_SETS.get(said.removesuffix("s"))
    if known:
        return known
    between = _FROM_TO.fullmatch(said.removeprefix("from "))
    if between and None not in (ends := [_CODES.get(one, weekday_of(one)) for one in between.groups()]):
        first, last = (end for end in ends if end is not None)
        return tuple(((first + more) % 7, 0) for more in range((last - first) % 7 + 1))
    parts = [word for word in re.split(r"\s*(?:,|;|&|/|\band\b|\bon\b|\s)\s*", said) if word]
    named = [_CODES.get(word, weekday_of(word)) for word in parts]
    return tuple(dict.fromkeys((day, 0) for day in named if day is not None)) if None not in named else ()


def frequency_of(word: str) -> tuple[Frequency, int] | None:
    return next(
        (found for one in (word, word.removesuffix("s"), word.removesuffix("ly")) if (found := _FREQUENCIES.get(one))),
        None,
    )
