"""Renders times and the rules of repetitions in words."""

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from itertools import pairwise, product
from typing import Final

from shared.base.wording.dates import date_in, day_in, listed_in, month_in, nth_weekday_in, weekday_in
from shared.base.wording.words import Phrase, Words
from shared.reminders.times.civil import civil_of
from shared.reminders.times.recurrence import WORKING_DAYS, Frequency, Recurrence
from shared.values.agent import parse_zone

#: the most times of a day, or days of a year, to list
MOST_LISTED: Final = 6
_DAY: Final = 24 * 60
_UNITS: Final = {
    Frequency.MINUTELY: "minute",
    Frequency.HOURLY: "hour",
    Frequency.DAILY: "day",
    Frequency.WEEKLY: "week",
    Frequency.MONTHLY: "month",
    Frequency.YEARLY: "year",
}


def moment_text(words: Words, instant: datetime, zone: str) -> Phrase:
    """Return an instant in words: `Friday, 27 November 2026, 17:00 (Europe/Berlin)`."""
    civil = civil_of(instant, parse_zone(zone))
    return words.say("when.once", date=date_in(words, civil), time=f"{civil:%H:%M}", zone=zone)


def interval_text(words: Words, rule: Recurrence) -> Phrase:
    """Return how often a rule occurs: `every day`, `every 2 weeks`."""
    return _every(words, rule.frequency, rule.interval)


def is_all_day(rule: Recurrence) -> bool:
    """Return whether a rule that repeats by hours or minutes is not limited to some days or times of day."""
    return not rule.frequency.is_of_day and _is_plain(rule) and not rule.hours and not rule.minutes


def days_text(words: Words, rule: Recurrence, start: datetime) -> Phrase | None:
    """Return the days of a rule in words; None if there are no words for them."""
    if rule.weeks or rule.year_days or (rule.positions and len(times_of_day(rule, start)) > 1):
        return None
    if not rule.frequency.is_of_day:
        rule = replace(rule, frequency=Frequency.DAILY, interval=1)
    return _of_days(words, _with_single_meaning(rule), start)


def times_text(words: Words, rule: Recurrence, start: datetime) -> str | None:
    """Return the times of day of a rule; None if they differ from day to day."""
    if not rule.frequency.is_of_day and not rule.hours and not rule.minutes:
        return interval_text(words, rule)
    times = times_of_day(rule, start)
    steps = {later - one for one, later in pairwise(times)}
    if not times:
        return None
    if len(times) <= MOST_LISTED or len(steps) > 1:
        return listed_in(words, map(_clock, times)) if len(times) <= 4 * MOST_LISTED else None
    step = steps.pop()
    every = _every(words, Frequency.MINUTELY, step) if step % 60 else _every(words, Frequency.HOURLY, step // 60)
    if times[0] < step and times[-1] + step >= _DAY:
        return every
    return words.say("when.on", every=every, days=f"{_clock(times[0])}–{_clock(times[-1])}")


def _every(words: Words, frequency: Frequency, interval: int) -> Phrase:
    unit = _UNITS[frequency]
    return words.say(f"each.{unit}") if interval == 1 else words.say(f"every.{unit}", count=interval)


def _is_plain(rule: Recurrence) -> bool:
    return not (rule.months or rule.month_days or rule.weekdays or rule.positions)


def _with_single_meaning(rule: Recurrence) -> Recurrence:
    """Return an equivalent rule that can be put into words, if there is one; else the rule itself."""
    days, positions = rule.month_days, rule.positions
    if positions == (-1,) and len(days) > 1 and days == tuple(range(28, days[-1] + 1)):
        return replace(rule, month_days=days[-1:], positions=())
    if rule.frequency is Frequency.MONTHLY and len(rule.weekdays) == len(positions) == 1 and not rule.weekdays[0][1]:
        return replace(rule, weekdays=((rule.weekdays[0][0], positions[0]),), positions=())
    if rule.frequency is Frequency.MONTHLY and rule.interval % 12 == 0 and rule.months:
        return replace(rule, frequency=Frequency.YEARLY, interval=rule.interval // 12)
    is_each_weekday = rule.weekdays and not any(which for _, which in rule.weekdays)
    if rule.interval == 1 and is_each_weekday and not (days or positions):
        return replace(rule, frequency=Frequency.WEEKLY)
    if rule.interval == 1 and rule.frequency is Frequency.DAILY and days and not (rule.weekdays or positions):
        return replace(rule, frequency=Frequency.MONTHLY)
    return rule


def _of_days(words: Words, rule: Recurrence, start: datetime) -> Phrase | None:
    match rule.frequency:
        case Frequency.DAILY if _is_plain(replace(rule, months=())) and (rule.interval == 1 or not rule.months):
            return _in_months(words, interval_text(words, rule), rule)
        case Frequency.WEEKLY if not (rule.month_days or rule.positions) and (rule.interval == 1 or not rule.months):
            return _in_months(words, _weekly(words, rule, start), rule)
        case Frequency.MONTHLY if not rule.months:
            return _on(words, rule, _in_month(words, rule, start))
        case Frequency.MONTHLY | Frequency.YEARLY if rule.frequency is Frequency.YEARLY or rule.interval == 1:
            return _yearly(words, replace(rule, frequency=Frequency.YEARLY), start)
    return None


def _in_months(words: Words, every: Phrase, rule: Recurrence) -> Phrase:
    if not rule.months:
        return every
    months = listed_in(words, (month_in(words, month) for month in sorted(rule.months)))
    return words.say("when.in_months", every=every, months=months)


def _on(words: Words, rule: Recurrence, days: str | None) -> Phrase | None:
    return words.say("when.on", every=interval_text(words, rule), days=days) if days is not None else None


def _weekly(words: Words, rule: Recurrence, start: datetime) -> Phrase:
    days = sorted(rule.weekdays) or [(start.weekday(), 0)]
    if tuple(days) == WORKING_DAYS and rule.interval == 1:
        return words.say("when.weekdays")
    if len(days) == 7 and rule.interval == 1:
        return _every(words, Frequency.DAILY, 1)
    named = listed_in(words, [weekday_in(words, day) for day, _ in days])
    return words.say("when.on", every=interval_text(words, rule), days=named)


def _in_month(words: Words, rule: Recurrence, start: datetime) -> str | None:
    """Return words for the days of a month that a rule names; None if there are no such words."""
    if rule.weekdays:
        return _nth(words, rule) if not rule.month_days else None
    days = sorted(rule.month_days or (start.day,), key=lambda day: day % 32)
    if rule.positions or any(day < -1 for day in days):
        return None
    return listed_in(words, [words.say("when.last_day") if day in {-1, 31} else _day(words, day) for day in days])


def _day(words: Words, day: int) -> Phrase:
    return words.say("when.month_day", day=day)


def _nth(words: Words, rule: Recurrence) -> str | None:
    """Return words for weekdays of a month, such as the first Monday; None if there are no such words."""
    if tuple(sorted(rule.weekdays)) == WORKING_DAYS and rule.positions in {(1,), (-1,)}:
        return words.say("when.first_working_day") if rule.positions == (1,) else words.say("when.last_working_day")
    if rule.positions or any(which != -1 and not 1 <= which <= 5 for _, which in rule.weekdays):
        return None
    return listed_in(words, [nth_weekday_in(words, day, which) for day, which in rule.weekdays])


def _yearly(words: Words, rule: Recurrence, start: datetime) -> Phrase | None:
    months, days = sorted(rule.months), rule.month_days or (start.day,)
    if rule.weekdays:
        if not months or rule.month_days or (rule.positions and len(months) > 1):
            return None
        found = _on(words, rule, _nth(words, rule))
        return _in_months(words, found, rule) if found is not None else None
    if not months and rule.month_days:
        monthly = replace(rule, frequency=Frequency.MONTHLY)
        return _on(words, monthly, _in_month(words, monthly, start)) if rule.interval == 1 else None
    months = months or [start.month]
    if days == (-1,) and rule.interval == 1 and not rule.positions:
        each = interval_text(words, replace(rule, frequency=Frequency.MONTHLY))
        return _in_months(words, words.say("when.on", every=each, days=words.say("when.last_day")), rule)
    if rule.positions or min(days) < 1 or len(months) * len(days) > 2 * MOST_LISTED:
        return None
    dates = product(months, sorted(days))
    named = dict.fromkeys((month, min(day, monthrange(2028, month)[1])) for month, day in dates)
    return _on(words, rule, listed_in(words, [day_in(words, *one) for one in named]))


def times_of_day(rule: Recurrence, start: datetime) -> list[int]:
    """Return the rule's times of day in minutes after midnight; [] if they differ from day to day."""
    begin = start.hour * 60 + start.minute
    match rule.frequency:
        case Frequency.HOURLY if 24 % rule.interval == 0:
            hours: Iterable[int] = range(start.hour % rule.interval, 24, rule.interval)
            hours = [hour for hour in hours if not rule.hours or hour in rule.hours]
            return _products(hours, rule.minutes or (start.minute,))
        case Frequency.MINUTELY if _DAY % rule.interval == 0:
            all_of_them = range(begin % rule.interval, _DAY, rule.interval)
            return [one for one in all_of_them if _is_among(one, rule)]
        case Frequency.HOURLY | Frequency.MINUTELY:
            return []
    return _products(rule.hours or (start.hour,), rule.minutes or (start.minute,))


def _products(hours: Iterable[int], minutes: Iterable[int]) -> list[int]:
    return sorted(hour * 60 + minute for hour, minute in product(hours, minutes))


def _is_among(minute: int, rule: Recurrence) -> bool:
    return minute // 60 in (rule.hours or range(24)) and minute % 60 in (rule.minutes or range(60))


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
