"""Describes in words when reminders are due next, and how they repeat."""

from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Final

from shared.base.wording.dates import date_in, weekday_in
from shared.base.wording.words import SILENCE, Phrase, Words, join_phrases
from shared.reminders.times.civil import NIGHT_ENDS, civil_of
from shared.reminders.times.occurrences import occurrences
from shared.reminders.times.proposal import ResolvedTime
from shared.reminders.times.recurrence import Frequency, Recurrence
from shared.reminders.times.rule import read_rule, repetition_of
from shared.reminders.times.rule_text import days_text, interval_text, is_all_day, moment_text, times_of_day, times_text
from shared.reminders.times.zones import first_zone
from shared.values.agent import parse_zone
from shared.values.reminder import Reminder, ReminderSpec

#: how many of the next times are listed if a rule cannot be put into words
NEXT_TIMES: Final = 3
#: separator between the parts of a repetition, the same in all languages
_BETWEEN: Final = " · "
#: the number of days within which a rule usually occurs next, by its frequency
_LONGEST_STEP: Final = {Frequency.WEEKLY: 7, Frequency.MONTHLY: 31, Frequency.YEARLY: 366}


def spec_time_text(words: Words, wanted: ReminderSpec) -> Phrase:
    """Return the first occurrence of a spec, and how it repeats."""
    rule = read_rule(wanted.rule) if wanted.rule else None
    start = datetime.fromisoformat(wanted.start)
    return resolved_time_text(
        words, ResolvedTime(first=wanted.first_at, zone=wanted.zone, start=start, recurrence=rule)
    )


def next_time_text(words: Words, reminder: Reminder) -> Phrase:
    """Return the next occurrence with day, time and zone, and how it repeats; nothing if the reminder is over."""
    if reminder.next_at is None:
        return SILENCE
    rule, start = repetition_of(reminder)
    zone = first_zone(reminder.zone)
    return resolved_time_text(words, ResolvedTime(first=reminder.next_at, zone=zone, start=start, recurrence=rule))


def resolved_time_text(words: Words, when: ResolvedTime) -> Phrase:
    """Return the next time and the repetition: `every day, 08:00 (Europe/Kyiv) · next: Friday, …`.

    `when.first` is used as the next time.
    """
    rule = when.recurrence
    if rule is None:
        return moment_text(words, when.first, when.zone)
    days, times = days_text(words, rule, when.start), times_text(words, rule, when.start)
    if is_all_day(rule):
        how, many = interval_text(words, rule), 1
    elif days is None or times is None:
        how, many = words.say("when.regular", zone=when.zone), NEXT_TIMES
    else:
        how, many = words.say("when.repeated", every=days, times=times, zone=when.zone), 1
    following = words.say("when.next", when="; ".join(_coming(words, when, many)))
    return join_phrases(how, *_ends(words, rule, when.start), following, by=_BETWEEN)


def short_time_text(words: Words, reminder: Reminder, now: datetime, *, names_zone: bool) -> Phrase:
    """Return the time of a reminder, in the shortest form in which it can be checked.

    `Tomorrow at 09:00`, `Friday at 09:00`; later times with their date. For a repeating reminder, the next date is
    added only if it is later than the rule suggests.
    """
    if reminder.next_at is None:
        return SILENCE
    rule, start = repetition_of(reminder)
    zone = first_zone(reminder.zone)
    if rule is None:
        return _in_zone(words, _day_and_time(words, reminder.next_at, now, zone), zone if names_zone else "")
    days, times = days_text(words, rule, start), times_text(words, rule, start)
    if is_all_day(rule) or days is None or times is None:
        return next_time_text(words, reminder)
    how = _in_zone(words, words.say("when.date_time", date=days, time=times), zone if names_zone else "")
    longest = timedelta(days=max(_LONGEST_STEP.get(rule.frequency, 1), 7 if rule.weekdays else 1))
    coming = ResolvedTime(first=reminder.next_at, zone=zone, start=start)
    is_later = rule.interval > 1 or reminder.next_at - now > longest
    following = [words.say("when.next", when=one) for one in _coming(words, coming, 1)] if is_later else []
    return join_phrases(how, *_ends(words, rule, start), *following, by=_BETWEEN)


def _in_zone(words: Words, when: Phrase, zone: str) -> Phrase:
    return words.say("when.in_zone", when=when, zone=zone) if zone else when


def _day_and_time(words: Words, at: datetime, now: datetime, zone: str) -> Phrase:
    """Return a time as people name it now: today, tomorrow, the day of the week, or the date."""
    civil, here = civil_of(at, parse_zone(zone)), civil_of(now, parse_zone(zone))
    ahead, time = (civil.date() - here.date()).days, f"{civil:%H:%M}"
    if ahead == 0:
        return words.say("when.today", time=time)
    if ahead == 1 and here.hour >= NIGHT_ENDS:
        return words.say("when.tomorrow", time=time)
    if 0 < ahead < 7:
        return words.say("when.weekday", weekday=weekday_in(words, civil.weekday()), time=time)
    return words.say("when.date_time", date=date_in(words, civil), time=time)


def _coming(words: Words, when: ResolvedTime, many: int) -> list[Phrase]:
    """Return the next `many` times, without the zone."""
    first = civil_of(when.first, parse_zone(when.zone))
    rule = when.recurrence
    later = (one for one in occurrences(rule, when.start, first) if one > first) if rule else ()
    dates = (first, *islice(later, many - 1))
    return [words.say("when.date_time", date=date_in(words, one), time=f"{one:%H:%M}") for one in dates]


def _ends(words: Words, rule: Recurrence, start: datetime) -> list[Phrase]:
    until = [words.say("when.until", date=_end(words, rule.until, rule, start))] if rule.until else []
    return [*until, words.say("when.count", count=rule.count)] if rule.count else until


def _end(words: Words, until: datetime, rule: Recurrence, start: datetime) -> str:
    """Return the last day of a rule; of a rule by hours or minutes also the time, unless it is the end of the day."""
    if is_all_day(rule) and until.time() < time(23, 59):
        return words.say("when.date_time", date=date_in(words, until), time=f"{until:%H:%M}")
    return date_in(words, _last_day(until, rule, start))


def _last_day(until: datetime, rule: Recurrence, start: datetime) -> date:
    """Return the last day on which a rule may occur.

    It is the day before `until` if all times of day of the rule are later than the time of day of `until`.
    """
    times = times_of_day(rule, start)
    is_over = bool(times) and times[0] > until.hour * 60 + until.minute
    return until.date() - timedelta(days=1) if is_over else until.date()
