"""Repetitions as models write them: a rule of RFC 5545, or words such as `weekday`, `2 weeks`, `last friday`."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import Final

from shared.scheduling.clock import split_time, weekday_of
from shared.scheduling.problem import Unusable
from shared.scheduling.recurrence import Frequency, Recurrence
from shared.scheduling.rule import MOST_INTERVAL, read_rule

_FREQUENCIES: Final = {
    "minute": Frequency.MINUTELY, "min": Frequency.MINUTELY, "minutely": Frequency.MINUTELY,
    "hour": Frequency.HOURLY, "hourly": Frequency.HOURLY, "hr": Frequency.HOURLY,
    "day": Frequency.DAILY, "daily": Frequency.DAILY, "morning": Frequency.DAILY, "evening": Frequency.DAILY,
    "week": Frequency.WEEKLY, "weekly": Frequency.WEEKLY,
    "month": Frequency.MONTHLY, "monthly": Frequency.MONTHLY,
    "year": Frequency.YEARLY, "yearly": Frequency.YEARLY, "annually": Frequency.YEARLY,
}  # fmt: skip
_WORKING: Final = tuple((day, 0) for day in range(5))
_FREE: Final = ((5, 0), (6, 0))
_SETS: Final = {"weekday": _WORKING, "workday": _WORKING, "working day": _WORKING, "weekend": _FREE}
_WHICH: Final = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1}
_TIMES: Final = {"other": 2, "second": 2, "third": 3, "two": 2, "three": 3, "four": 4}
_COUNTED: Final = re.compile(r"([0-9]{1,5}|other|second|third|two|three|four)(?:st|nd|rd|th)?\s+([a-z]+)")
_OF_MONTH: Final = re.compile(rf"({'|'.join(_WHICH)})\s+([a-z]+)(?:\s+of\s+(?:the|each|every|a)\s+month)?")
_FROM_TO: Final = re.compile(r"([a-z]+)\s*(?:-|–|to|through|until)\s*([a-z]+)")

#: of a model's rule; one that people mean has some sixty characters
LONGEST_RULE: Final = 500
UNREADABLE: Final = (
    "`every` is a rule of RFC 5545 such as FREQ=WEEKLY;BYDAY=FR, or day, weekday, friday, 2 weeks, month."
)


@dataclass(frozen=True)
class Repetition:
    """How something repeats, and the time of day, if that was said with it."""

    recurrence: Recurrence
    at: time | None = None

    def from_day(self, start: datetime) -> Recurrence:
        """The recurrence from its first time on: a month's or year's day that others lack is then their last one."""
        rule, is_plain = self.recurrence, self.recurrence == _plain(self.recurrence)
        if rule.frequency is Frequency.MONTHLY and is_plain and start.day > 28:
            return replace(rule, month_days=tuple(range(28, start.day + 1)), positions=(-1,))
        if rule.frequency is Frequency.YEARLY and is_plain and (start.month, start.day) == (2, 29):
            return replace(rule, months=(2,), month_days=(28, 29), positions=(-1,))
        return rule


def read_every(value: str) -> Repetition:
    """How something repeats. Raises Unusable."""
    text = " ".join(value.strip().lower().split()).removesuffix(".")
    if "freq" in text:
        return Repetition(read_rule(_rule_in(value)))
    said, at = split_time(text)
    said = said.removeprefix("every ").removeprefix("each ").removeprefix("on ").strip()
    return Repetition(_worded(said), at)


def _rule_in(value: str) -> str:
    """The rule in a text that may have DTSTART and other lines around it. Raises Unusable."""
    rule = next(line for line in value.split() if "FREQ" in line.upper())
    if len(rule) > LONGEST_RULE:
        raise Unusable(f"A rule has at most {LONGEST_RULE} characters.")
    return rule


def _worded(said: str) -> Recurrence:
    if days := _days(said):
        return Recurrence(frequency=Frequency.WEEKLY, weekdays=days)
    counted = _COUNTED.fullmatch(said)
    if counted and (frequency := _frequency(counted[2])):
        interval = _TIMES.get(counted[1]) or int(counted[1])
        if not 1 <= interval <= MOST_INTERVAL:
            raise Unusable(UNREADABLE)
        return Recurrence(frequency=frequency, interval=interval)
    which = _OF_MONTH.fullmatch(said)
    if which and (day := weekday_of(which[2])) is not None:
        return Recurrence(frequency=Frequency.MONTHLY, weekdays=((day, _WHICH[which[1]]),))
    if frequency := _frequency(said):
        return Recurrence(frequency=frequency)
    raise Unusable(UNREADABLE)


def _days(said: str) -> tuple[tuple[int, int], ...]:
    """The days of the week that are named; none: something else is said."""
    known = _SETS.get(said) or _SETS.get(said.removesuffix("s"))
    if known:
        return known
    between = _FROM_TO.fullmatch(said)
    if between and None not in (ends := [weekday_of(between[1]), weekday_of(between[2])]):
        first, last = (end for end in ends if end is not None)
        return tuple(((first + more) % 7, 0) for more in range((last - first) % 7 + 1))
    named = [weekday_of(word) for word in re.split(r"\s*(?:,|;|&|\band\b|\s)\s*", said) if word]
    return tuple(dict.fromkeys((day, 0) for day in named if day is not None)) if None not in named else ()


def _frequency(word: str) -> Frequency | None:
    return _FREQUENCIES.get(word) or _FREQUENCIES.get(word.removesuffix("s"))


def _plain(rule: Recurrence) -> Recurrence:
    """The same without anything but how often it comes and where it ends."""
    return Recurrence(frequency=rule.frequency, interval=rule.interval, count=rule.count, until=rule.until)
