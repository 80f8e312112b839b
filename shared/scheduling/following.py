"""The occurrences of a reminder that are to come."""

from datetime import datetime

from shared.models.reminder import Occurrence, Reminder, reminder_id
from shared.scheduling.civil import civil_of, instant_of
from shared.scheduling.occurrences import next_after
from shared.scheduling.rule import repetition_of, zone_of


def following(reminder: Reminder, after: datetime) -> datetime | None:
    """When a reminder comes next after a moment; none: never."""
    rule, start = repetition_of(reminder)
    return next_after(rule, start, zone_of(reminder), after) if rule is not None else None


def occurred(reminder: Reminder, now: datetime) -> Reminder:
    """A reminder whose next occurrence is due now, with the one after it, if there is one.

    What was missed meanwhile is not made up for.
    """
    assert reminder.next_at is not None
    due = Occurrence(due_at=reminder.next_at, at=now)
    return reminder.model_copy(update={"last": due, "next_at": following(reminder, now)})


def snoozed(reminder: Reminder, at: datetime, mark: str) -> Reminder:
    """A reminder that comes at a moment instead of when it came, or was to come.

    Of one that repeats, this one time: as another that happens once. `mark` (`mark_of`) is of the occurrence that is
    put off: however often that is, it is the same one, and never that of another occurrence.
    """
    start = civil_of(at, zone_of(reminder)).isoformat()
    changes = {"next_at": at, "start": start, "rule": ""}
    if reminder.rule:
        changes |= {"id": reminder_id("snoozed", reminder.id, mark), "last": None}
    return reminder.model_copy(update=changes)


def moved_to(reminder: Reminder, zone: str, now: datetime) -> Reminder:
    """A reminder at the same times of the clock in another zone; it stays where its next time there is over."""
    if reminder.next_at is None:
        return reminder
    moved = reminder.model_copy(update={"zone": zone, "is_zone_guessed": False})
    civil = civil_of(reminder.next_at, zone_of(reminder))
    at = instant_of(civil, zone_of(moved))
    if at <= now:
        later = following(moved, now)
        return reminder.model_copy(update={"is_zone_guessed": False}) if later is None else _next(moved, later)
    return _next(moved, at)


def _next(reminder: Reminder, at: datetime) -> Reminder:
    return reminder.model_copy(update={"next_at": at})
