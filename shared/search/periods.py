"""Spans of days that a question names, and how near something is to them."""

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

#: by how many days after a named day something is half as near to it: people tell of what happened before
HALF_AFTER: Final = 5.0
#: and before it
HALF_BEFORE: Final = 3.0
#: a span of more than a day is blurred so much more
SPAN_BLUR: Final = 1.5
#: what a month of another year than the last one counts, where no year is named
OTHER_YEAR: Final = 0.8
#: what a year alone counts: most of a conversation is of one year
YEAR_ALONE: Final = 0.5


@dataclass(frozen=True, kw_only=True)
class Period:
    """A span of days that a question names, both ends within it."""

    first: date
    last: date
    #: what being within it counts, at most
    weight: float = 1.0

    def nearness(self, day: date) -> float:
        """How near a day is: `weight` within the span, half as much some days off, towards 0."""
        blur = 1.0 if self.first == self.last else SPAN_BLUR
        if day > self.last:
            return float(self.weight * 0.5 ** ((day - self.last).days / (HALF_AFTER * blur)))
        return float(self.weight * 0.5 ** (max(0, (self.first - day).days) / (HALF_BEFORE * blur)))


def nearness(periods: tuple[Period, ...], day: date) -> float:
    """How near a day is to the nearest of them, from 0 to 1; 0 without any."""
    return max((one.nearness(day) for one in periods), default=0.0)


def days_named(year: int, month: int, day: int, today: date) -> Iterator[Period]:
    """The day, or the whole month if the day is 0; nothing if the calendar has none such.

    If the year is 0, of the last one in which it was, and less so of those before.
    """
    newest = today.year if (month, day or 1) <= (today.month, today.day) else today.year - 1
    for one in (year,) if year else range(newest, newest - 4, -1):
        most = calendar.monthrange(one, month)[1] if 1 <= month <= 12 else -1
        if day <= most:
            weight = 1.0 if one in {year, newest} else OTHER_YEAR
            yield Period(first=date(one, month, day or 1), last=date(one, month, day or most), weight=weight)


def whole_year(year: int) -> Period:
    """A year of which nothing more is told."""
    return Period(first=date(year, 1, 1), last=date(year, 12, 31), weight=YEAR_ALONE)
