"""The periods of days that a question names, and how near a day is to them."""

import calendar
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

#: the number of days after a named day at which the nearness is half, since people also write about a day afterwards
HALF_AFTER: Final = 5.0
#: the number of days before it
HALF_BEFORE: Final = 3.0
#: factor on these numbers for a period of several days
SPAN_BLUR: Final = 1.5
#: weight of the same day in earlier years, if no year is named
OTHER_YEAR: Final = 0.8
#: weight of a year alone, since most of a conversation belongs to one year
YEAR_ALONE: Final = 0.5
#: days of each unit, for a span that ends today
UNITS: Final[Mapping[str, int]] = {"day": 1, "week": 7, "month": 30, "year": 365}


@dataclass(frozen=True, kw_only=True)
class Period:
    """A period of days that a question names, including the first and the last day."""

    first: date
    last: date
    #: the nearness of a day within the period
    weight: float = 1.0

    def nearness(self, day: date) -> float:
        """Return how near a day is: `weight` for a day of the period, less with each day before or after it."""
        blur = 1.0 if self.first == self.last else SPAN_BLUR
        if day > self.last:
            return float(self.weight * 0.5 ** ((day - self.last).days / (HALF_AFTER * blur)))
        return float(self.weight * 0.5 ** (max(0, (self.first - day).days) / (HALF_BEFORE * blur)))

    def holds(self, day: date) -> bool:
        """Return whether a day is within the period."""
        return self.first <= day <= self.last


def nearness(periods: tuple[Period, ...], day: date) -> float:
    """Return how near a day is to the nearest period, from 0 to 1; 0 without periods."""
    return max((one.nearness(day) for one in periods), default=0.0)


def days_named(year: int, month: int, day: int, today: date) -> Iterator[Period]:
    """Yield a date as a period: one day, or the whole month if `day` is 0. Yield nothing if there is no such date.

    If `year` is 0, yield the latest such date up to today, then the same date in earlier years with less weight.
    """
    newest, weight = today.year if (month, day or 1) <= (today.month, today.day) else today.year - 1, 1.0
    for one in (year,) if year else range(newest, newest - 4, -1):
        most = calendar.monthrange(one, month)[1] if 1 <= month <= 12 else -1
        if day <= most:
            yield Period(first=date(one, month, day or 1), last=date(one, month, day or most), weight=weight)
            weight = OTHER_YEAR


def newest_of(periods: Iterable[Period]) -> tuple[Period, ...]:
    """Return the periods without those of earlier years, which `days_named` adds if no year is named."""
    return tuple(one for one in periods if one.weight != OTHER_YEAR)


def whole_year(year: int) -> Period:
    """Return the period of a year that a question names without a month. It has less weight than a named day."""
    return Period(first=date(year, 1, 1), last=date(year, 12, 31), weight=YEAR_ALONE)


def span_back(unit: str, count: int, today: date) -> tuple[date, date]:
    """Return the first and last date of the day, week, month or year (`unit`) that was `count` units ago."""
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
    """Return whether two days are the first and the last day of the same month."""
    return first.day == 1 and last == first.replace(day=calendar.monthrange(first.year, first.month)[1])


def last_weekday(weekday: int, today: date) -> date:
    """Return the last day before today that is this day of the week (0 is Monday)."""
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def weekend_back(begin: int, back: int, today: date) -> tuple[date, date]:
    """Return the two days that begin on weekday `begin`, `back` weeks ago."""
    day = today - timedelta(days=today.weekday() + 7 * back - begin)
    return day, day + timedelta(days=1)


def day_of_month(day: int, today: date) -> tuple[date, date] | None:
    """Return the latest day up to today with this number in its month, as a range of one day; None if there is none."""
    for back in range(3):
        first, last = span_back("month", back, today)
        if 1 <= day <= last.day and first.replace(day=day) <= today:
            return first.replace(day=day), first.replace(day=day)
    return None
