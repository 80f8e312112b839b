"""Reminders in words: when they come next, and how they repeat."""

from datetime import datetime
from itertools import islice
from typing import Final

from shared.models.agent import zone_named
from shared.models.reminder import Arrangement, Reminder
from shared.scheduling.civil import civil_of
from shared.scheduling.occurrences import occurrences
from shared.scheduling.proposal import When
from shared.scheduling.recurrence import Recurrence
from shared.scheduling.rule import read_rule, repetition_of
from shared.scheduling.saying import days_said, interval_said, is_all_day, moment_said, times_said
from shared.scheduling.zones import first_zone
from shared.wording.dates import date_in
from shared.wording.words import SILENCE, Phrase, Words, joined

#: the next times that are told of a rule that has no words
NEXT_TIMES: Final = 3
#: between what is said of a repetition; no language writes it otherwise
_BETWEEN: Final = " · "


def when_arranged(words: Words, wanted: Arrangement) -> Phrase:
    """The first occurrence of what is to be scheduled, and how it repeats."""
    rule = read_rule(wanted.rule) if wanted.rule else None
    start = datetime.fromisoformat(wanted.start)
    return when_said(words, When(first=wanted.first_at, zone=wanted.zone, start=start, recurrence=rule))


def when_told(words: Words, reminder: Reminder) -> Phrase:
    """The next occurrence: its day, time and zone, and how it repeats; nothing of one that is over."""
    if reminder.next_at is None:
        return SILENCE
    rule, start = repetition_of(reminder)
    zone = first_zone(reminder.zone)
    return when_said(words, When(first=reminder.next_at, zone=zone, start=start, recurrence=rule))


def when_said(words: Words, when: When) -> Phrase:
    """When something happens next, and how it repeats: `every day, 08:00 (Europe/Kyiv) · next: Friday, …`.

    `when.first` is the next time, whatever was before it.
    """
    rule = when.recurrence
    if rule is None:
        return moment_said(words, when.first, when.zone)
    days, times = days_said(words, rule, when.start), times_said(words, rule, when.start)
    if is_all_day(rule):
        how, many = interval_said(words, rule), 1
    elif days is None or times is None:
        how, many = words.say("when.regular", zone=when.zone), NEXT_TIMES
    else:
        how, many = words.say("when.repeated", every=days, times=times, zone=when.zone), 1
    following = words.say("when.next", when="; ".join(_coming(words, when, many)))
    return joined(how, *_ends(words, rule), following, by=_BETWEEN)


def _coming(words: Words, when: When, many: int) -> list[Phrase]:
    """The next times, without the zone."""
    first = civil_of(when.first, zone_named(when.zone))
    rule = when.recurrence
    later = (one for one in occurrences(rule, when.start, first) if one > first) if rule else ()
    dates = (first, *islice(later, many - 1))
    return [words.say("when.date_time", date=date_in(words, one), time=f"{one:%H:%M}") for one in dates]


def _ends(words: Words, rule: Recurrence) -> list[Phrase]:
    until = [words.say("when.until", date=date_in(words, rule.until))] if rule.until else []
    return [*until, words.say("when.count", count=rule.count)] if rule.count else until
