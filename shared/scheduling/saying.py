"""When something happens, in words that show a mistake at once: the day with its name, the time, and the zone."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice, product
from typing import Final

from shared.models.agent import zone_named
from shared.scheduling.civil import civil_of
from shared.scheduling.occurrences import occurrences
from shared.scheduling.proposal import When
from shared.scheduling.recurrence import Frequency, Recurrence
from shared.wording.dates import date_in, day_in, listed_in, weekday_in
from shared.wording.words import Phrase, Words, joined

#: times of a day that are told one by one
MOST_TIMES: Final = 6
#: the next times that are told of a rule that has no words
NEXT_TIMES: Final = 3
#: between what is said of a repetition; no language writes it otherwise
_BETWEEN: Final = " · "
_WORKING: Final = ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0))
_UNITS: Final = {
    Frequency.MINUTELY: "minute",
    Frequency.HOURLY: "hour",
    Frequency.DAILY: "day",
    Frequency.WEEKLY: "week",
    Frequency.MONTHLY: "month",
    Frequency.YEARLY: "year",
}


def moment_said(words: Words, instant: datetime, zone: str) -> Phrase:
    """An instant: `Friday, 27 November 2026, 17:00 (Europe/Berlin)`."""
    civil = civil_of(instant, zone_named(zone))
    return words.say("when.once", date=date_in(words, civil), time=_clock(civil), zone=zone)


def when_said(words: Words, when: When) -> Phrase:
    """When something happens next, and how it repeats: `every day, 08:00 (Europe/Kyiv) · next: Friday, …`.

    `when.first` is the next time, whatever was before it.
    """
    rule = when.recurrence
    if rule is None:
        return moment_said(words, when.first, when.zone)
    days = _days(words, rule, when.start)
    times = _times(rule, when.start)
    if days is None or len(times) > MOST_TIMES:
        how, many = words.say("when.rule", rule=_without_end(rule).rule, zone=when.zone), NEXT_TIMES
    elif not rule.frequency.is_of_day:
        how, many = days, 1
    else:
        told = listed_in(words, times)
        how, many = words.say("when.repeated", every=days, times=told, zone=when.zone), 1
    following = words.say("when.next", when="; ".join(_coming(words, when, many)))
    return joined(how, *_ends(words, rule), following, by=_BETWEEN)


def _coming(words: Words, when: When, many: int) -> list[Phrase]:
    """The next times, without the zone."""
    first = civil_of(when.first, zone_named(when.zone))
    rule = when.recurrence
    later = (one for one in occurrences(rule, when.start, first) if one > first) if rule else ()
    dates = (first, *islice(later, many - 1))
    return [words.say("when.date_time", date=date_in(words, one), time=_clock(one)) for one in dates]


def _ends(words: Words, rule: Recurrence) -> list[Phrase]:
    until = [words.say("when.until", date=date_in(words, rule.until))] if rule.until else []
    return [*until, words.say("when.count", count=rule.count)] if rule.count else until


def _without_end(rule: Recurrence) -> Recurrence:
    return replace(rule, until=None, count=None)


def _times(rule: Recurrence, start: datetime) -> list[str]:
    """The times of a day, as the clock shows them."""
    hours, minutes = rule.hours or (start.hour,), rule.minutes or (start.minute,)
    return [f"{hour:02}:{minute:02}" for hour, minute in product(sorted(hours), sorted(minutes))]


def _days(words: Words, rule: Recurrence, start: datetime) -> Phrase | None:
    """On which days it happens; none: there are no words for it."""
    of_day = rule.frequency.is_of_day
    if rule.weeks or rule.year_days or (not of_day and (rule.hours or rule.minutes)):
        return None
    every = _every(words, rule)
    match rule.frequency:
        case Frequency.MINUTELY | Frequency.HOURLY | Frequency.DAILY if _is_plain(rule):
            return every
        case Frequency.DAILY | Frequency.WEEKLY if not (rule.months or rule.month_days or rule.positions):
            return _weekly(words, rule, start)
        case Frequency.MONTHLY if not (rule.months or rule.weekdays):
            return _monthly(words, rule, start, every)
        case Frequency.YEARLY if not (rule.weekdays or rule.positions) and len(rule.months) < 2:
            month, days = (rule.months or (start.month,))[0], rule.month_days or (start.day,)
            if len(days) == 1 and days[0] > 0 and (rule.months or not rule.month_days):
                return words.say("when.on", every=every, days=day_in(words, month, days[0]))
    return None


def _is_plain(rule: Recurrence) -> bool:
    return not (rule.months or rule.month_days or rule.weekdays or rule.positions)


def _every(words: Words, rule: Recurrence) -> Phrase:
    unit = _UNITS[rule.frequency]
    return words.say(f"each.{unit}") if rule.interval == 1 else words.say(f"every.{unit}", count=rule.interval)


def _weekly(words: Words, rule: Recurrence, start: datetime) -> Phrase | None:
    if rule.frequency is Frequency.DAILY and rule.interval > 1:
        return None
    days: Sequence[tuple[int, int]] = sorted(rule.weekdays) or [(start.weekday(), 0)]
    if tuple(days) == _WORKING and rule.interval == 1:
        return words.say("when.weekdays")
    weekly = Recurrence(frequency=Frequency.WEEKLY, interval=rule.interval)
    named = listed_in(words, [weekday_in(words, day) for day, _ in days])
    return words.say("when.on", every=_every(words, weekly), days=named)


def _monthly(words: Words, rule: Recurrence, start: datetime, every: Phrase) -> Phrase | None:
    days = rule.month_days or (start.day,)
    if rule.positions == (-1,) and days[0] == 28 and days == tuple(range(28, days[-1] + 1)):
        days = (-1,) if days[-1] == 31 else days[-1:]
    elif rule.positions:
        return None
    if len(days) != 1 or days[0] < -1:
        return None
    day = words.say("when.last_day") if days[0] == -1 else words.say("when.month_day", day=days[0])
    return words.say("when.on", every=every, days=day)


def _clock(civil: datetime) -> str:
    return f"{civil:%H:%M}"
