"""What Telegram does not take and can be said in words: the task that says it takes the place of the other."""

from datetime import datetime

from shared.executing.graph import with_failure, with_task
from shared.executing.outcome import task_of, with_apology
from shared.models.message import Event
from shared.ports.stickers import Stickers
from shared.session.session import Session
from shared.tasks.plan import Plan, PlannedTask, TaskState

#: the kind of the event that tells the model
IN_WORDS = "said_in_words"
NOT_FOUND = "there is no such sticker"


async def with_found_sticker(stickers: Stickers | None, session: Session, plan: Plan, task_id: str) -> Plan:
    """The plan with a task whose sticker is found; if it is not, with words in its place, or without it.

    Raises StoreUnavailable or StoreRefused.
    """
    planned = task_of(plan, task_id)
    wanted = planned.task.wanted_sticker
    if wanted is None:
        return plan
    found = await stickers.find(*wanted, anew=planned.is_anew) if stickers is not None else None
    if found is not None:
        return plan
    words = planned.task.in_words()
    if words is None:
        return with_apology(with_failure(plan, task_id, NOT_FOUND), planned)
    return with_task(plan, planned.model_copy(update={"task": words, "deliveries": ()}))


def rewording_event(before: Plan, after: Plan, task_id: str, now: datetime) -> Event | None:
    """The entry that tells the model that a task of its was not sent, or something else in its place; none: it was."""
    old, new = task_of(before, task_id), task_of(after, task_id)
    if old.task.wanted_sticker is None or (new.task.wanted_sticker and new.state is not TaskState.FAILED):
        return None
    return _told(old, now)


def _told(planned: PlannedTask, now: datetime) -> Event:
    return Event(at=now, kind=IN_WORDS, note=planned.task.unsent(), holds_outside=planned.saw_outside)
