"""The occurrences of a reminder that are to come, and what becomes of them when it is changed."""

from datetime import datetime
from typing import TypeVar

from shared.reminders.times.civil import civil_of, instant_of
from shared.reminders.times.occurrences import next_after
from shared.reminders.times.rule import repetition_of, zone_of
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
    """When a reminder comes next after a moment; none: never."""
    rule, start = repetition_of(reminder)
    return next_after(rule, start, zone_of(reminder), after) if rule is not None else None


def advance_reminder(reminder: Reminder, now: datetime) -> Reminder:
    """A reminder whose next occurrence is due now, with the one after it, if there is one.

    What was missed meanwhile is not made up for.
    """
    assert reminder.next_at is not None
    due = Occurrence(due_at=reminder.next_at, at=now)
    return evolve(reminder, last=due, next_at=next_occurrence(reminder, now))


def hold(due: Due, until: datetime) -> Due:
    """A reminder or notice that is due and cannot be said, as one that nobody looks at before."""
    return evolve(due, next_at=until, held_at=due.next_at)


def release(due: Due) -> Due:
    """The reminder or notice as it was due, if it was held."""
    if due.held_at is None:
        return due
    return evolve(due, next_at=due.held_at, held_at=None)


def snooze(reminder: Reminder, at: datetime, mark: str) -> Reminder:
    """A reminder that comes at a moment instead of when it came, or was to come.

    A repeating reminder keeps its rule; this one occurrence becomes a reminder of its own that happens once. `mark` is
    the `occurrence_mark` of the occurrence that is put off, so putting it off again changes the same reminder.
    """
    start = civil_of(at, zone_of(reminder)).isoformat()
    changes = {"next_at": at, "start": start, "rule": ""}
    if reminder.rule:
        changes |= {"id": reminder_id("snoozed", reminder.id, mark), "last": None}
    return reminder.model_copy(update=changes)


def is_by_clock(reminder: Reminder) -> bool:
    """Whether a reminder comes by the clock of its zone. What was said as a span from now has the seconds of that."""
    try:
        start = datetime.fromisoformat(reminder.start)
    except ValueError:
        return True
    return bool(reminder.rule) or not (start.second or start.microsecond)


def move_to_zone(reminder: Reminder, zone: str, now: datetime) -> Reminder:
    """A reminder at the same times of the clock in another zone; it stays where its next time there is over."""
    if reminder.next_at is None:
        return reminder
    moved = evolve(reminder, zone=zone, is_zone_guessed=False)
    civil = civil_of(reminder.next_at, zone_of(reminder))
    at = instant_of(civil, zone_of(moved))
    if at <= now:
        later = next_occurrence(moved, now)
        return evolve(reminder, is_zone_guessed=False) if later is None else _next(moved, later)
    return _next(moved, at)


def _next(reminder: Reminder, at: datetime) -> Reminder:
    return evolve(reminder, next_at=at)


def spec_of(reminder: Reminder) -> ReminderSpec:
    """What a reminder that is still to come says, and when it comes next."""
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


def is_unchanged(reminder: Reminder, change: ReminderChange, now: datetime) -> bool:
    """Whether a reminder is still what a change was planned for; of what repeats, the next time may be another."""
    if reminder.next_at is None or change.before is None:
        return False
    is_for_once = change.after is not None and not change.after.rule
    # it is to come at one moment, which is to be ahead; of what repeats the next time was meant
    if is_for_once and change.after is not None and change.after.first_at <= now:
        return False
    if is_for_once and reminder.next_at != change.before.first_at:
        return False
    before = evolve(change.before, is_zone_guessed=reminder.is_zone_guessed)
    return evolve(spec_of(reminder), first_at=before.first_at) == before


def apply_change(reminder: Reminder, change: ReminderChange, now: datetime) -> tuple[Reminder, ...]:
    """What is stored in the place of a reminder: itself, and of what repeats the one that comes later this once."""
    before, after = change.before, change.after
    if after is None or before is None or reminder.next_at is None:
        last = reminder.last or Occurrence(due_at=reminder.next_at or now, at=now)
        over = evolve(last, state=OccurrenceState.CANCELLED, at=now)
        return (evolve(reminder, next_at=None, last=over),)
    said = after.model_dump(include={"text", "instruction", "zone", "start", "rule", "is_zone_guessed"})
    if before.rule and not after.rule:
        once = snooze(reminder, after.first_at, occurrence_mark(reminder.next_at)).model_copy(update=said)
        return once, evolve(reminder, next_at=next_occurrence(reminder, reminder.next_at))
    marks: dict[str, object] = {"saw_outside": reminder.saw_outside or change.is_marked, "set_at": now}
    if (after.text, after.instruction) != (before.text, before.instruction):
        marks |= {"known_links": change.known_links, "elsewhere": change.elsewhere}
    new = reminder.model_copy(update={**said, **marks, "next_at": after.first_at})
    # a button may be pressed a day later
    return (evolve(new, next_at=next_occurrence(new, now)) if after.first_at <= now else new,)
