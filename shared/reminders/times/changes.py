"""Computes the coming occurrences of a reminder, and its new state when it is changed."""

from datetime import datetime
from typing import TypeVar

from shared.reminders.times.civil import civil_of, instant_of
from shared.reminders.times.occurrences import next_after
from shared.reminders.times.rule import read_rule, repetition_of, zone_of
from shared.reminders.times.zones import first_zone
from shared.values.agent import parse_zone
from shared.values.evolve import evolve
from shared.values.reminder import (
    DueItem,
    Occurrence,
    OccurrenceState,
    Reminder,
    ReminderChange,
    ReminderSpec,
    occurrence_mark,
    reminder_id,
)

Due = TypeVar("Due", bound=DueItem)


def next_occurrence(reminder: Reminder, after: datetime) -> datetime | None:
    """Return the next time of a reminder after the time `after`; None if there is none."""
    rule, start = repetition_of(reminder)
    return next_after(rule, start, zone_of(reminder), after) if rule is not None else None


def advance_reminder(reminder: Reminder, now: datetime) -> Reminder:
    """Return a due reminder with its current occurrence recorded and its next one set.

    Occurrences missed meanwhile are skipped.
    """
    assert reminder.next_at is not None
    due = Occurrence(due_at=reminder.next_at, at=now)
    return evolve(reminder, last=due, next_at=next_occurrence(reminder, now))


def hold(due: Due, until: datetime) -> Due:
    """Return a due reminder or notice, postponed until `until`. Its original due time is kept in `held_at`."""
    return evolve(due, next_at=until, held_at=due.next_at)


def release(due: Due) -> Due:
    """Return a postponed reminder or notice with its original due time again, which `hold` kept."""
    if due.held_at is None:
        return due
    return evolve(due, next_at=due.held_at, held_at=None)


def snooze(reminder: Reminder, at: datetime, mark: str) -> Reminder:
    """Return a reminder postponed to `at` from its next time or, if it was sent already, from its last time.

    A repeating reminder keeps its rule; this one occurrence becomes a separate one-time reminder. `mark` is the
    `occurrence_mark` of that occurrence, so postponing it again changes the same one-time reminder.
    """
    start = civil_of(at, zone_of(reminder)).isoformat()
    changes = {"next_at": at, "start": start, "rule": ""}
    if reminder.rule:
        changes |= {"id": reminder_id("snoozed", reminder.id, mark), "last": None}
    return reminder.model_copy(update=changes)


def is_by_clock(reminder: Reminder) -> bool:
    """Return whether a reminder was set for a time on the clock of its zone, and not for a span such as 10 minutes.

    The start shows this by its seconds: a clock time has none, but a span counts from the moment when it was said.
    """
    try:
        start = datetime.fromisoformat(reminder.start)
    except ValueError:
        return True
    return bool(reminder.rule) or not (start.second or start.microsecond)


def move_to_zone(reminder: Reminder, zone: str, now: datetime) -> Reminder:
    """Return the reminder at the same clock times in another zone.

    If its next time has already passed there and it has no later one, the reminder keeps its times and zone.
    """
    if reminder.next_at is None:
        return reminder
    moved = evolve(reminder, zone=zone, is_zone_guessed=False)
    civil = civil_of(reminder.next_at, zone_of(reminder))
    at = instant_of(civil, zone_of(moved))
    if at <= now:
        later = next_occurrence(moved, now)
        return evolve(reminder, is_zone_guessed=False) if later is None else evolve(moved, next_at=later)
    return evolve(moved, next_at=at)


def spec_of(reminder: Reminder) -> ReminderSpec:
    """Return the spec of an open reminder, with its next time."""
    assert reminder.next_at is not None
    rule, start = repetition_of(reminder)
    return ReminderSpec(
        text=reminder.text,
        instruction=reminder.instruction,
        first_at=reminder.next_at,
        zone=reminder.zone,
        start=start.isoformat(),
        rule=reminder.rule if rule is not None else "",
        is_zone_guessed=reminder.is_zone_guessed,
    )


def is_of_last(spec: ReminderSpec, at: datetime) -> bool:
    """Return whether `at` is nearer to an earlier time of a repeating reminder than to its next one."""
    if not spec.rule or at >= spec.first_at:
        return False
    start, zone = datetime.fromisoformat(spec.start), parse_zone(first_zone(spec.zone))
    earlier = next_after(read_rule(spec.rule), start, zone, at - (spec.first_at - at))
    return earlier is not None and earlier <= at


def is_unchanged(reminder: Reminder, change: ReminderChange, now: datetime) -> bool:
    """Return whether a reminder has not changed since the change was planned.

    A repeating reminder may have moved on to a later occurrence, unless the change is of a single occurrence.
    """
    if reminder.next_at is None or change.before is None:
        return False
    is_for_once = change.after is not None and not change.after.rule
    # a change of one occurrence needs a future time, and must apply to the occurrence that was meant
    if is_for_once and change.after is not None and change.after.first_at <= now:
        return False
    if is_for_once and reminder.next_at != change.before.first_at:
        return False
    before = evolve(change.before, is_zone_guessed=reminder.is_zone_guessed)
    return evolve(spec_of(reminder), first_at=before.first_at) == before


def apply_change(reminder: Reminder, change: ReminderChange, now: datetime) -> tuple[Reminder, ...]:
    """Return the reminders that replace a reminder: its new state, and the occurrence that was postponed, if any."""
    before, after = change.before, change.after
    if after is None or before is None or reminder.next_at is None:
        last = reminder.last or Occurrence(due_at=reminder.next_at or now, at=now)
        over = evolve(last, state=OccurrenceState.CANCELLED, at=now)
        return (evolve(reminder, next_at=None, last=over),)
    said = after.model_dump(include={"text", "instruction", "zone", "start", "rule", "is_zone_guessed"})
    if before.rule and not after.rule:
        is_sent = reminder.last is not None and is_of_last(before, after.first_at)
        mark = occurrence_mark(reminder.last.due_at if is_sent and reminder.last else reminder.next_at)
        once = snooze(reminder, after.first_at, mark).model_copy(update=said)
        return once, reminder if is_sent else evolve(reminder, next_at=next_occurrence(reminder, reminder.next_at))
    marks: dict[str, object] = {"saw_outside": reminder.saw_outside or change.is_marked, "set_at": now}
    if (after.text, after.instruction) != (before.text, before.instruction):
        marks |= {"known_links": change.known_links, "elsewhere": change.elsewhere}
    new = reminder.model_copy(update={**said, **marks, "next_at": after.first_at})
    # the confirmation button may be pressed a day later, when the first time has passed
    return (evolve(new, next_at=next_occurrence(new, now)) if after.first_at <= now else new,)
