"""Reads spans of time as models write them: `10 minutes`, `1h 30m`, `PT10M`, or a number of minutes."""

import calendar
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from shared.reminders.times.civil import civil_of, instant_of

#: the units by their prefixes, in months, days and seconds
_UNITS: Final = {
    "mo": (1, 0, 0),
    "y": (12, 0, 0),
    "w": (0, 7, 0),
    "d": (0, 1, 0),
    "h": (0, 0, 3600),
    "m": (0, 0, 60),
    "s": (0, 0, 1),
}
_UNIT: Final = (
    r"mo(?:n(?:th)?s?)?|y(?:(?:ea)?rs?)?|w(?:(?:ee)?ks?)?|d(?:ays?)?|"
    r"h(?:(?:ou)?rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?"
)
_COUNT: Final = r"[0-9]{1,9}(?:[.,][0-9]{1,3})?"
_ONES: Final = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_WORDS: Final[Mapping[str, float]] = {
    **{one: count for count, one in enumerate(_ONES, 1)},
    **_TENS,
    **{f"{ten}{sign}{one}": _TENS[ten] + _ONES.index(one) + 1 for ten in _TENS for one in _ONES[:9] for sign in "- "},
    "a": 1, "an": 1, "half": 0.5, "half a": 0.5, "half an": 0.5, "quarter of an": 0.25, "a quarter of an": 0.25,
    "three quarters of an": 0.75, "a couple of": 2,
}  # fmt: skip
#: the largest number without a unit that counts as minutes; larger ones are more likely seconds
_MOST_BARE: Final = 300
_PART: Final = re.compile(rf"({_COUNT}|(?<![\w-])(?:{'|'.join(_WORDS)})(?=\s))\s*({_UNIT})(?![^\W\d])")
#: `an hour and a half`, `two and a half hours`
_AND_HALF: Final = re.compile(
    rf"(?<!\S)({_COUNT}|{'|'.join(_WORDS)})(?:\s+({_UNIT})\s+and\s+a\s+half|\s+and\s+a\s+half\s+({_UNIT}))(?!\w)"
)
_ISO: Final = re.compile(
    rf"p(?:({_COUNT})y)?(?:({_COUNT})m)?(?:({_COUNT})w)?(?:({_COUNT})d)?"
    rf"(?:t(?:({_COUNT})h)?(?:({_COUNT})m)?(?:({_COUNT})s)?)?"
)
#: words allowed around the numbers and units
_AROUND: Final = re.compile(r"\bin\b|\bafter\b|\bfrom now\b|\band\b|\blater\b|[\s,+]")
#: the longest span in days, which bounds the arithmetic
MOST_DAYS: Final = 36_600


@dataclass(frozen=True, kw_only=True)
class TimeSpan:
    """A span of time. Months and days are counted by the calendar, so that they preserve the time of day."""

    months: int = 0
    days: int = 0
    seconds: int = 0

    def after(self, instant: datetime, zone: tzinfo) -> datetime:
        """Return `instant` plus this span, counted in `zone`. If a month lacks the day, its last day counts."""
        if not self.months and not self.days:
            return instant + timedelta(seconds=self.seconds)
        civil = civil_of(instant, zone)
        month = civil.year * 12 + civil.month - 1 + self.months
        year, month = month // 12, month % 12 + 1
        day = min(civil.day, calendar.monthrange(year, month)[1])
        moved = civil.replace(year=year, month=month, day=day) + timedelta(days=self.days)
        return instant_of(moved, zone) + timedelta(seconds=self.seconds)

    def day_after(self, day: date) -> date | None:
        """Return `day` plus this span; None if the span has hours, minutes or seconds."""
        if self.seconds:
            return None
        return self.after(datetime.combine(day, time(12), UTC), UTC).date()


def read_span(value: object) -> TimeSpan | None:
    """Return the span of a value, from a second to a century; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float) or (isinstance(value, str) and re.fullmatch(_COUNT, value.strip())):
        minutes = float(str(value).strip().replace(",", "."))
        return _whole((0, 0, minutes * 60)) if minutes < _MOST_BARE else None
    if not isinstance(value, str):
        return None
    text = value.strip().lower()
    return _iso(text) if text.startswith("p") else _span_in_words(text)


def _span_in_words(text: str) -> TimeSpan | None:
    text = _AND_HALF.sub(lambda found: f"{found[1]} {found[2] or found[3]} half {found[2] or found[3]}", text)
    found = _PART.findall(text)
    if not found or _AROUND.sub("", _PART.sub("", text)).strip(". "):
        return None
    return _total_span((_number(count), unit) for count, unit in found)


def _iso(text: str) -> TimeSpan | None:
    found = _ISO.fullmatch(text)
    if not found:
        return None
    counts = zip(found.groups(), ("y", "mo", "w", "d", "h", "m", "s"), strict=True)
    return _total_span((_number(count), unit) for count, unit in counts if count)


def _number(count: str) -> float:
    return _WORDS[count] if count in _WORDS else float(count.replace(",", "."))


def _total_span(parts: Iterable[tuple[float, str]]) -> TimeSpan | None:
    months = days = seconds = 0.0
    for count, unit in parts:
        month, day, second = next(units for begin, units in _UNITS.items() if unit.startswith(begin))
        months, days, seconds = months + count * month, days + count * day, seconds + count * second
    return _whole((months, days, seconds))


def _whole(sums: tuple[float, float, float]) -> TimeSpan | None:
    """Return the span of months, days and seconds; fractions of months and days become seconds."""
    months, days, seconds = sums
    days += months % 1 * 30
    seconds += days % 1 * 24 * 3600
    length = months * 31 + days + seconds / 86_400
    if not 1 / 86_400 <= length <= MOST_DAYS:  # excludes NaN too
        return None
    return TimeSpan(months=int(months), days=int(days), seconds=round(seconds))
