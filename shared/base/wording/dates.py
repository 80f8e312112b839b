"""Dates and lengths of time in words of each language, such as `Friday, 27 November 2026` and `2 d 5 h`."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from functools import reduce
from typing import Final

from shared.base.wording.words import Phrase, Words

#: the weekday in a language's pattern of a date, with the separators around it
_WEEKDAY: Final = re.compile(r"\s*[(（]\{weekday\}[)）]|^\{weekday\}[,،]?\s*|[,،]?\s*\{weekday\}")


def date_in(words: Words, day: date) -> str:
    """Return a day with its weekday."""
    calendar = words.catalogue.calendar
    weekday, month = calendar.weekdays[day.weekday()], calendar.months[day.month - 1]
    return calendar.date.format(weekday=weekday, day=day.day, month=month, year=day.year)


def short_date_in(words: Words, day: date, today: date) -> str:
    """Return a day without its weekday, and without its year if that is the year of `today`."""
    if day.year == today.year:
        return day_in(words, day.month, day.day)
    calendar = words.catalogue.calendar
    return _WEEKDAY.sub("", calendar.date).format(day=day.day, month=calendar.months[day.month - 1], year=day.year)


def day_in(words: Words, month: int, day: int) -> str:
    """Return a day without a year."""
    calendar = words.catalogue.calendar
    return calendar.day.format(day=day, month=calendar.months[month - 1])


def weekday_in(words: Words, weekday: int) -> str:
    """Return a weekday; 0 is Monday."""
    return words.catalogue.calendar.weekdays[weekday]


def nth_weekday_in(words: Words, weekday: int, which: int) -> str:
    """Return words such as "second Friday" for a weekday of a month; `which` is 1 to 5, or -1 for the last one."""
    calendar = words.catalogue.calendar
    if which == -1:
        return calendar.last[weekday]
    return calendar.nth[weekday].format(nth=calendar.ordinals[which - 1])


def month_in(words: Words, month: int) -> str:
    """Return the name of a month; 1 is January."""
    calendar = words.catalogue.calendar
    return (calendar.months_alone or calendar.months)[month - 1]


def listed_in(words: Words, some: Iterable[str]) -> str:
    """Return the items as one list with the language's separator: "a, b, c". There must be at least one item."""
    return reduce(lambda before, one: words.say("when.more", some=before, more=one), some)


def span_in(words: Words, span: timedelta) -> Phrase:
    """Return a length of time in its two largest units. A length below a minute counts as a minute.

    Units are abbreviated, so that they need no plural.
    """
    minutes = max(1, round(span.total_seconds() / 60))
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return words.say("span.days_hours", days=days, hours=hours) if hours else words.say("span.days", days=days)
    if hours:
        if minutes:
            return words.say("span.hours_minutes", hours=hours, minutes=minutes)
        return words.say("span.hours", hours=hours)
    return words.say("span.minutes", minutes=minutes)
