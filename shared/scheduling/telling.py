"""Reminders in words: when they come next, and how they repeat."""

from datetime import datetime

from shared.models.reminder import Arrangement, Reminder
from shared.scheduling.proposal import When
from shared.scheduling.rule import read_rule, repetition_of
from shared.scheduling.saying import when_said
from shared.scheduling.zones import first_zone
from shared.wording.words import SILENCE, Phrase, Words


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
