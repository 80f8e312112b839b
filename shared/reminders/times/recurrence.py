"""The data class of a recurrence: a rule of RFC 5545 in civil time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

#: in the order of the week, as in RFC 5545 and `datetime.weekday`
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
    """The unit of a recurrence. Seconds are not supported: the shortest interval is a minute."""

    YEARLY = "YEARLY"
    MONTHLY = "MONTHLY"
    WEEKLY = "WEEKLY"
    DAILY = "DAILY"
    HOURLY = "HOURLY"
    MINUTELY = "MINUTELY"

    @property
    def is_of_day(self) -> bool:
        """Return whether the unit is a day or longer."""
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
    """A rule of RFC 5545. If the rule sets no time of day or no day, the first occurrence determines it.

    If a month lacks a day (29, 30, 31), its last day counts, as with SKIP=BACKWARD of RFC 7529.

    The numbers are those of the RFC. A day of the week is a pair: its index (0 for Monday), and which one of the month
    or year it is (0 for each, -1 for the last).
    """

    frequency: Frequency
    interval: int = 1
    #: number of occurrences in all; None without an end
    count: int | None = None
    #: civil time of the last possible occurrence
    until: datetime | None = None
    months: tuple[int, ...] = ()
    weeks: tuple[int, ...] = ()
    year_days: tuple[int, ...] = ()
    month_days: tuple[int, ...] = ()
    weekdays: tuple[tuple[int, int], ...] = ()
    hours: tuple[int, ...] = ()
    minutes: tuple[int, ...] = ()
    #: which of the times within a period are meant: 1 is the first, -1 the last
    positions: tuple[int, ...] = ()
    week_start: int = 0

    @property
    def names_days(self) -> bool:
        """Return whether the rule names days of a week, month or year. Otherwise the first occurrence sets the day."""
        return bool(self.weeks or self.year_days or self.month_days or self.weekdays)

    @property
    def days(self) -> "Recurrence":
        """The rule without its end. A single time of day is left out, too, since the first occurrence contains it."""
        endless = replace(self, count=None, until=None)
        is_one = len(self.hours) <= 1 and len(self.minutes) <= 1
        return replace(endless, hours=(), minutes=()) if is_one else endless

    @property
    def rule(self) -> str:
        """The rule as an RRULE of RFC 5545. UNTIL is a civil time, since the rule has no zone of its own."""
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


#: the list parts of a rule, and their fields
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
    """Return the day of the week (0 is Monday) whose English name is or begins with this text; None if there is none.

    At least three letters are needed.
    """
    word = text.removesuffix("s") if text.endswith("days") else text
    if len(word) < 3:
        return None
    return next((number for number, name in enumerate(_DAY_NAMES) if name.startswith(word)), None)


def month_of(text: str) -> int | None:
    """Return the month (1 is January) whose English name is or begins with this text; None if there is none.

    At least three letters are needed.
    """
    if len(text) < 3:
        return None
    return next((number for number, name in enumerate(_MONTH_NAMES, 1) if name.startswith(text)), None)


def weekdays_of(said: str) -> tuple[tuple[int, int], ...]:
    """Return the named days of the week, or () if the text contains anything else."""
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
