"""A recurrence: how something happens again and again, as RFC 5545 writes it, in civil time."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

#: by their place in the week, as RFC 5545 and `datetime.weekday` have them
WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


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


@dataclass(frozen=True, kw_only=True)
class Recurrence:
    """A rule of RFC 5545. What it leaves open (the time of day, the day) is taken from its first time.

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
