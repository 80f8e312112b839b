"""Reads repetitions as models write them: RRULEs of RFC 5545, or words such as `weekday`, `2 weeks`, `last friday`."""

import re
from dataclasses import dataclass, replace
from datetime import time
from typing import Final

from shared.reminders.times.problem import UnusableTime
from shared.reminders.times.recurrence import (
    WEEKDAY_SETS,
    WORKING_DAYS,
    Frequency,
    Recurrence,
    frequency_of,
    month_of,
    weekday_of,
    weekdays_of,
)
from shared.reminders.times.rule import MOST_INTERVAL, WrittenRule, read_rule, rule_in
from shared.reminders.times.time_of_day import NO_HOUR, UNSAID, WHICH_NIGHT, TimeOfDay, split_times

_WHICH: Final = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "last": -1,
}  # fmt: skip
_TIMES: Final = {
    "other": 2, "second": 2, "third": 3, "fourth": 4, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
}  # fmt: skip
_COUNTED: Final = re.compile(rf"(?!1st\b)([0-9]{{1,5}}|{'|'.join(_TIMES)})(?:st|nd|rd|th)?\s+(.+)")
_OF: Final = re.compile(r"\s+(?:of|in)\s+(?:the\s+|each\s+|every\s+|a\s+)?(month|year|[a-z]+)$")
_NTH: Final = re.compile(rf"({'|'.join(_WHICH)})\s+([a-z ]+)")
_BUT: Final = re.compile(r"(.+?)\s+(?:except|but not|but|without)(?:\s+(?:on|for))?\s+(.+)")
_ON: Final = re.compile(r"(.+?)\s+on\s+(?:the\s+)?(.+)")
_MONTH_DAY: Final = re.compile(r"(?:day\s+)?([0-9]{1,2})(?:st|nd|rd|th)?")
_OF_YEAR: Final = re.compile(
    r"([0-9]{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]+)|([a-z]+)\s+([0-9]{1,2})(?:st|nd|rd|th)?"
)
_OFTEN: Final = re.compile(r"(once|twice|thrice|[0-9]+ times|[a-z]+ times)\s+(?:an?|each|every|per)\s+([a-z]+)")
_LISTED: Final = re.compile(r"\s*(?:,|;|&|\band\b)\s*(?:on\s+)?(?:the\s+)?")
_LEADING: Final = re.compile(r"^(?:(?:every|each|on|the|all|at)\s+|every(?=(?:day|week|month|year|hour)\b))+")

UNREADABLE: Final = (
    "`every` is a rule of RFC 5545 such as FREQ=WEEKLY;BYDAY=FR, or day, weekday, friday, 2 weeks, month."
)
WHICH_TIMES: Final = (
    "Say at which times or on which days, such as FREQ=DAILY;BYHOUR=9,21;BYMINUTE=0. If they said none, ask."
)
EVERY_SECOND: Final = (
    "That may be every other one or the second of a month. Write FREQ=WEEKLY;INTERVAL=2;BYDAY=MO, or "
    "FREQ=MONTHLY;BYDAY=2MO."
)
UNEQUAL_TIMES: Final = "Times with different minutes are reminders of their own: one `schedule` for each."


@dataclass(frozen=True)
class Repetition:
    """A recurrence, with the time of day (`said`) or the rule and first time (`written`) that the text gave."""

    recurrence: Recurrence
    said: TimeOfDay = UNSAID
    written: WrittenRule | None = None

    def time_with(self, said: TimeOfDay) -> time | None:
        """Return the time of day from `said` or, if it has none, from this repetition; None if neither has one.

        Raises UnusableTime.
        """
        both = TimeOfDay(said.at or self.said.at, said.part or self.said.part)
        if both.at is None and both.part is not None and not self.recurrence.hours:
            raise UnusableTime(NO_HOUR)
        if both.is_of_two_days and self.recurrence.names_days:
            raise UnusableTime(WHICH_NIGHT)
        return both.clock()


def read_every(value: str) -> Repetition:
    """Return the repetition that a text describes. Raises UnusableTime."""
    text = " ".join(value.strip().lower().split()).removesuffix(".")
    if "freq" in text:
        written = rule_in(value)
        return Repetition(read_rule(written.rule), written=written)
    said, times = split_times(text)
    days = _LEADING.sub("", f"{said} ").strip(" ,;@")
    is_time = times[0].part is not None or (times[0].at is not None and said.startswith(("every", "each")))
    rule = Recurrence(frequency=Frequency.DAILY) if is_time and not days else _rule_in_words(days, len(times))
    if len(times) == 1:
        return Repetition(rule, times[0])
    clocks = [clock for one in times if (clock := one.clock()) is not None]
    if len({clock.minute for clock in clocks}) > 1:
        raise UnusableTime(UNEQUAL_TIMES)
    hours = tuple(sorted({clock.hour for clock in clocks}))
    return Repetition(replace(rule, hours=hours, minutes=(clocks[0].minute,)))


def _rule_in_words(said: str, times: int = 1) -> Recurrence:
    """Return the rule that words without a time of day describe. Raises UnusableTime."""
    if often := _OFTEN.fullmatch(said):
        return _often(often[1], often[2], times)
    for read in (_weekly, _interval_rule, _monthly, _yearly, _unit_rule, _rule_on_days):
        found = read(said)
        if found is not None:
            return found
    raise UnusableTime(UNREADABLE)


def _often(how: str, unit: str, times: int) -> Recurrence:
    """Return the rule for words such as `twice a day`. `times` is the number of times of day that the text also names.

    Raises UnusableTime if that number differs from the one in the words.
    """
    word = how.removesuffix(" times")
    many = {"once": 1, "twice": 2, "thrice": 3}.get(word) or _TIMES.get(word) or (int(word) if word.isdecimal() else 0)
    frequency = frequency_of(unit)
    if frequency is None or (many != 1 and (frequency[0] is not Frequency.DAILY or many != times)):
        raise UnusableTime(WHICH_TIMES)
    return Recurrence(frequency=frequency[0], interval=frequency[1])


def _weekly(said: str) -> Recurrence | None:
    """Return a rule for some days of each week."""
    if but := _BUT.fullmatch(said):
        days, left_out = (
            weekdays_of(but[1]) or tuple((day, 0) for day in range(7) if "day" in but[1]),
            weekdays_of(but[2]),
        )
        kept = tuple(day for day in days if day not in left_out)
        return Recurrence(frequency=Frequency.WEEKLY, weekdays=kept) if kept and left_out else None
    days = weekdays_of(said)
    return Recurrence(frequency=Frequency.WEEKLY, weekdays=days) if days else None


def _interval_rule(said: str) -> Recurrence | None:
    """Return a rule for an interval: `2 weeks`, `other friday`. Raises UnusableTime for "every second Monday"."""
    found = _COUNTED.fullmatch(said)
    if not found:
        return None
    interval, what = _TIMES.get(found[1]) or int(found[1]), found[2]
    if not 1 <= interval <= MOST_INTERVAL:
        raise UnusableTime(UNREADABLE)
    if unit := frequency_of(what):
        return Recurrence(frequency=unit[0], interval=unit[1] * interval)
    if days := weekdays_of(what):
        if found[1] != "other" and not what.endswith("s"):
            raise UnusableTime(EVERY_SECOND)
        return Recurrence(frequency=Frequency.WEEKLY, interval=interval, weekdays=days)
    return None


def _monthly(said: str) -> Recurrence | None:
    """Return a rule for days of each month: `15th`, `last day`, `first monday`, `1st and 3rd monday of the month`."""
    of = _OF.search(said)
    if of and of[1] != "month":
        return None
    rest = said[: of.start()] if of else said
    parts = [part for part in _LISTED.split(rest) if part]
    numbers = [_MONTH_DAY.fullmatch(part) for part in parts]
    days = tuple(int(found[1]) for found in numbers if found)
    if rest in {"last day", "end"} and (of or rest == "last day"):
        return Recurrence(frequency=Frequency.MONTHLY, month_days=(-1,))
    if of and rest in {"first", "first day"}:
        return Recurrence(frequency=Frequency.MONTHLY, month_days=(1,))
    if days and len(days) == len(parts) and (of or any(part.endswith(_ENDS) for part in parts)):
        return read_rule(Recurrence(frequency=Frequency.MONTHLY, month_days=days).rule)
    nth = [_NTH.fullmatch(f"{part} {parts[-1].split()[-1]}" if part in _WHICH else part) for part in parts]
    if not nth or None in nth:
        return None
    found = [(_WHICH[one[1]], one[2]) for one in nth if one is not None]
    if len(found) == 1 and found[0][1] in WEEKDAY_SETS and found[0][0] in {1, -1} and found[0][1] != "weekend":
        return Recurrence(frequency=Frequency.MONTHLY, weekdays=WORKING_DAYS, positions=(found[0][0],))
    days_of = [(day, which) for which, name in found if (day := weekday_of(name)) is not None]
    if len(days_of) != len(found):
        return None
    return Recurrence(frequency=Frequency.MONTHLY, weekdays=tuple(days_of))


_ENDS: Final = ("st", "nd", "rd", "th")


def _yearly(said: str) -> Recurrence | None:
    """Return a rule for a day of each year: `29 february`, `january 5th`."""
    found = _OF_YEAR.fullmatch(said)
    month = month_of(found[2] or found[3]) if found else None
    if found is None or month is None:
        return None
    day = int(found[1] or found[4])
    return read_rule(Recurrence(frequency=Frequency.YEARLY, months=(month,), month_days=(day,)).rule)


def _unit_rule(said: str) -> Recurrence | None:
    unit = frequency_of(said)
    return Recurrence(frequency=unit[0], interval=unit[1]) if unit else None


def _rule_on_days(said: str) -> Recurrence | None:
    """Return a rule for an interval with its days, such as `2 weeks on monday` or `month on the 15th`."""
    found = _ON.fullmatch(said)
    if not found:
        return None
    how, days = _interval_rule(found[1]) or _unit_rule(found[1]), found[2]
    readers = {Frequency.WEEKLY: _weekly, Frequency.MONTHLY: _monthly, Frequency.YEARLY: _yearly}
    if how is None or how.frequency not in readers:
        return None
    ending = " of the month" if how.frequency is Frequency.MONTHLY and not _OF.search(days) else ""
    on = readers[how.frequency](f"{days}{ending}")
    return replace(on, interval=how.interval) if on is not None and on.frequency is how.frequency else None
