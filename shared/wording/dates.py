"""Days in words, `Friday, 27 November 2026`, as each language writes them: values for its phrases."""

from collections.abc import Iterable
from datetime import date
from functools import reduce

from shared.wording.words import Words


def date_in(words: Words, day: date) -> str:
    """A day with its day of the week."""
    calendar = words.catalogue.calendar
    weekday, month = calendar.weekdays[day.weekday()], calendar.months[day.month - 1]
    return calendar.date.format(weekday=weekday, day=day.day, month=month, year=day.year)


def day_in(words: Words, month: int, day: int) -> str:
    """A day of any year."""
    calendar = words.catalogue.calendar
    return calendar.day.format(day=day, month=calendar.months[month - 1])


def weekday_in(words: Words, weekday: int) -> str:
    """A day of the week; 0: Monday."""
    return words.catalogue.calendar.weekdays[weekday]


def listed_in(words: Words, some: Iterable[str]) -> str:
    """Several of a kind in one line, at least one."""
    return reduce(lambda before, one: words.say("when.more", some=before, more=one), some)
