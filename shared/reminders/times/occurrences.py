"""Computes the civil times of a recurrence, and its next instant."""

import calendar
import math
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import dropwhile, islice, takewhile
from typing import Final, Literal

from shared.reminders.times.civil import civil_of, instant_of
from shared.reminders.times.recurrence import Frequency, Recurrence

#: the largest jump of clocks forward: Samoa skipped a day at the end of 2011
LONGEST_GAP: Final = timedelta(days=1)
#: how many times of an hourly or minutely rule to try before giving up
MOST_TRIED: Final = 200_000
#: the calendar repeats after 400 years, including days of the week
_CYCLE_YEARS: Final = 400
#: the years in which dateutil searches: it gives up only at the end of year 9999, which from 2026 takes seconds for a
#: rule that never occurs, such as each 30 February
_SEARCHED_YEARS: Final = range(9500, 9900)
_MINUTES: Final = 24 * 60


def next_after(recurrence: Recurrence, start: datetime, zone: tzinfo, after: datetime) -> datetime | None:
    """Return the first instant (UTC) of a recurrence after `after`, or None if it does not occur again.

    `start` is the naive civil time of the first occurrence, from which the rule counts. Civil times stay the same
    across clock changes; two civil times that become the same instant count as one occurrence.
    """
    coming = (
        (civil, instant)
        for civil in occurrences(recurrence, start, civil_of(after, zone) - LONGEST_GAP)
        if (instant := instant_of(civil, zone)) > after
    )
    civil, first = next(coming, (start, None))
    if first is None:
        return None
    shown = civil_of(first, zone)
    if shown == civil:
        return first
    # a skipped time moved forward, so later civil times may come before it
    return min([first, *(instant for _, instant in takewhile(lambda one: one[0] < shown, coming))])


def occurrences(recurrence: Recurrence, start: datetime, since: datetime) -> Iterator[datetime]:
    """Yield the civil times of a recurrence in order, without those before `since`."""
    if recurrence.count is not None:
        # the count includes the first occurrence
        counted = islice(_endless(recurrence, start, start), recurrence.count)
        found: Iterable[datetime] = dropwhile(lambda one: one < since, counted)
    else:
        found = _endless(recurrence, start, max(start, since))
    until = recurrence.until
    yield from found if until is None else takewhile(lambda one: one <= until, found)


def _endless(recurrence: Recurrence, start: datetime, since: datetime) -> Iterator[datetime]:
    """Yield the civil times from `since` on, ignoring the rule's end."""
    found = (
        _daily_times(recurrence, start, since)
        if recurrence.frequency.is_of_day
        else _hourly_times(recurrence, start, since)
    )
    return dropwhile(lambda one: one < since, found)


def _daily_times(recurrence: Recurrence, start: datetime, since: datetime) -> Iterator[datetime]:
    """Yield the times of a rule by days, weeks, months or years."""
    begin = _period(recurrence, start.date(), since.date())
    for found in _rule_dates(recurrence, start, begin):
        yield found.replace(second=start.second)


def _hourly_times(recurrence: Recurrence, start: datetime, since: datetime) -> Iterator[datetime]:
    """Yield the times of an hourly or minutely rule."""
    slots = _slots(recurrence, start, since.date())
    hours = set(recurrence.hours) or range(24)
    minutes = set(recurrence.minutes) or range(60)
    is_by_minutes = recurrence.frequency is Frequency.MINUTELY
    for slot in islice(slots, MOST_TRIED):
        if slot.hour in hours and (not is_by_minutes or slot.minute in minutes):
            yield slot


def _slots(recurrence: Recurrence, start: datetime, since: date) -> Iterator[datetime]:
    """Yield the times of an hourly or minutely rule on matching days, before its limits of hours and minutes apply."""
    is_hourly = recurrence.frequency is Frequency.HOURLY
    step = recurrence.interval * 60 if is_hourly else recurrence.interval
    behind = tuple(sorted(recurrence.minutes)) or (start.minute,) if is_hourly else (0,)
    origin = start.date().toordinal() * _MINUTES + start.hour * 60 + (0 if is_hourly else start.minute)
    for day in _rule_dates(recurrence, start, since):
        ahead = (origin - day.toordinal() * _MINUTES) % step
        for minute in range(ahead, _MINUTES, step):
            for more in behind:
                yield datetime.combine(day, time(second=start.second)) + timedelta(minutes=minute + more)


def _period(recurrence: Recurrence, start: date, since: date) -> date:
    """Return the first day of the last counted period (day, week, month, year) that begins on or before `since`."""
    every = recurrence.interval
    match recurrence.frequency:
        case Frequency.YEARLY:
            return date(start.year + (since.year - start.year) // every * every, 1, 1)
        case Frequency.MONTHLY:
            first = start.year * 12 + start.month - 1
            month = first + (since.year * 12 + since.month - 1 - first) // every * every
            return date(month // 12, month % 12 + 1, 1)
        case Frequency.WEEKLY:
            week = start - timedelta(days=(start.weekday() - recurrence.week_start) % 7)
            return week + timedelta(weeks=(since - week).days // 7 // every * every)
    return start + timedelta(days=(since - start).days // every * every)


def _rule_dates(recurrence: Recurrence, start: datetime, begin: date) -> Iterator[datetime]:
    """Yield the times of a rule from `begin` on, which is the first day of a period. For an hourly or minutely rule,
    yield its days.

    dateutil is given dates near the end of its calendar, so that a search without a result ends after some 400 years.
    If a month lacks a day, its last day counts (SKIP=BACKWARD of RFC 7529), which dateutil does not support.
    """
    from dateutil.rrule import DAILY, MONTHLY, WEEKLY, YEARLY, rrule, weekday

    frequencies: dict[str, Literal[0, 1, 2]] = {"YEARLY": YEARLY, "MONTHLY": MONTHLY, "WEEKLY": WEEKLY}
    is_of_day = recurrence.frequency.is_of_day
    days = recurrence.month_days or _month_day(recurrence, start)
    lacked = _lacked_days(recurrence, days, recurrence.months or _month(recurrence, start))
    moved = max(0, math.floor((_SEARCHED_YEARS[-1] - begin.year) / _CYCLE_YEARS) * _CYCLE_YEARS)
    found = rrule(
        frequencies.get(recurrence.frequency, DAILY),
        dtstart=datetime.combine(begin.replace(year=begin.year + moved), time()),
        interval=recurrence.interval if is_of_day else 1,
        wkst=recurrence.week_start,
        bysetpos=recurrence.positions or None,
        bymonth=recurrence.months or _month(recurrence, start) or None,
        byweekno=recurrence.weeks or None,
        byyearday=recurrence.year_days or None,
        bymonthday=(*days, -1) if lacked else days or None,
        byweekday=[weekday(day, which or None) for day, which in recurrence.weekdays] or _weekday(recurrence, start),
        byhour=(recurrence.hours or start.hour) if is_of_day else 0,
        byminute=(recurrence.minutes or start.minute) if is_of_day else 0,
        bysecond=0,
    )
    fitting = (one for one in found if _fits(one, days, lacked)) if lacked else found
    return (one.replace(year=one.year - moved) for one in fitting)


def _lacked_days(recurrence: Recurrence, days: tuple[int, ...], months: tuple[int, ...]) -> tuple[int, ...]:
    """Return the days of the rule that some of its months do not have. In those months the last day replaces them."""
    if recurrence.weekdays or recurrence.weeks or recurrence.year_days or recurrence.positions:
        return ()
    longest = max(calendar.monthrange(2028, month)[1] for month in months or range(1, 13))
    return tuple(day for day in days if 28 < day <= longest)


def _fits(found: datetime, days: tuple[int, ...], lacked: tuple[int, ...]) -> bool:
    """Return whether a day is named by the rule, or replaces a day that its month does not have."""
    length = calendar.monthrange(found.year, found.month)[1]
    is_named = found.day in days or found.day - length - 1 in days
    return is_named or (found.day == length and max(lacked) > length)


def _month(recurrence: Recurrence, start: datetime) -> tuple[int, ...]:
    yearly = recurrence.frequency is Frequency.YEARLY
    return (start.month,) if yearly and not recurrence.names_days else ()


def _month_day(recurrence: Recurrence, start: datetime) -> tuple[int, ...]:
    by_months = recurrence.frequency in {Frequency.YEARLY, Frequency.MONTHLY}
    return (start.day,) if by_months and not recurrence.names_days else ()


def _weekday(recurrence: Recurrence, start: datetime) -> int | None:
    weekly = recurrence.frequency is Frequency.WEEKLY
    return start.weekday() if weekly and not recurrence.names_days else None
