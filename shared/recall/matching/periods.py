"""Spans of days that a question names, and how near something is to them."""

import calendar
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
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
#: units of time and their days, as a span that ends today has them
UNITS: Final[Mapping[str, int]] = {"day": 1, "week": 7, "month": 30, "year": 365}


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

    def holds(self, day: date) -> bool:
        """Return whether a day is within it."""
        return self.first <= day <= self.last


def nearness(periods: tuple[Period, ...], day: date) -> float:
    """How near a day is to the nearest of them, from 0 to 1; 0 without any."""
    return max((one.nearness(day) for one in periods), default=0.0)


def days_named(year: int, month: int, day: int, today: date) -> Iterator[Period]:
    """The day, or the whole month if the day is 0; nothing if the calendar has none such.

    If the year is 0, of the last one in which it was, and less so of those before.
    """
    newest, weight = today.year if (month, day or 1) <= (today.month, today.day) else today.year - 1, 1.0
    for one in (year,) if year else range(newest, newest - 4, -1):
        most = calendar.monthrange(one, month)[1] if 1 <= month <= 12 else -1
        if day <= most:
            yield Period(first=date(one, month, day or 1), last=date(one, month, day or most), weight=weight)
            weight = OTHER_YEAR


def newest_of(periods: Iterable[Period]) -> tuple[Period, ...]:
    """Return the periods without the same days of other years: of each that is named, the last one."""
    return tuple(one for one in periods if one.weight != OTHER_YEAR)


def whole_year(year: int) -> Period:
    """A year of which nothing more is told."""
    return Period(first=date(year, 1, 1), last=date(year, 12, 31), weight=YEAR_ALONE)


def span_back(unit: str, count: int, today: date) -> tuple[date, date]:
    """The first and last day of the day, week, month or year so many before this one."""
    if unit == "day":
        day = today - timedelta(days=count)
        return day, day
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7 * count)
        return monday, monday + timedelta(days=6)
    if unit == "month":
        year, month = divmod(max(today.year * 12 + today.month - 1 - count, 12), 12)
        return date(year, month + 1, 1), date(year, month + 1, calendar.monthrange(year, month + 1)[1])
    year = max(1, today.year - count)
    return date(year, 1, 1), date(year, 12, 31)


def is_month_long(first: date, last: date) -> bool:
    """Return whether two days are the first and the last one of a month."""
    return first.day == 1 and last == first.replace(day=calendar.monthrange(first.year, first.month)[1])


def last_weekday(weekday: int, today: date) -> date:
    """The last such day of the week before today, 0 being Monday."""
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def weekend_back(begin: int, back: int, today: date) -> tuple[date, date]:
    """The two days from a day of the week on, so many weeks back."""
    day = today - timedelta(days=today.weekday() + 7 * back - begin)
    return day, day + timedelta(days=1)


def day_of_month(day: int, today: date) -> tuple[date, date] | None:
    """The last such day of a month that was."""
    for back in range(3):
        first, last = span_back("month", back, today)
        if 1 <= day <= last.day and first.replace(day=day) <= today:
            return first.replace(day=day), first.replace(day=day)
    return None
