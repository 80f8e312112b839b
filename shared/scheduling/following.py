"""The occurrences of a reminder that are to come."""

from datetime import datetime

from shared.models.agent import zone_named
from shared.models.reminder import Occurrence, Reminder, reminder_id
from shared.scheduling.civil import civil_of
from shared.scheduling.occurrences import next_after
from shared.scheduling.rule import read_rule


def following(reminder: Reminder, after: datetime) -> datetime | None:
    """When a reminder comes next after a moment; none: never."""
    if not reminder.rule:
        return None
    start = datetime.fromisoformat(reminder.start)
    return next_after(read_rule(reminder.rule), start, zone_named(reminder.zone), after)


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
    start = civil_of(at, zone_named(reminder.zone)).isoformat()
    changes = {"next_at": at, "start": start, "rule": ""}
    if reminder.rule:
        changes |= {"id": reminder_id("snoozed", reminder.id, mark), "last": None}
    return reminder.model_copy(update=changes)
