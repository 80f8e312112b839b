"""What a conversation is told of its own plans, so that the next one is made knowing it."""

from collections.abc import Iterator
from datetime import datetime

from shared.models.message import Event
from shared.models.plan import Plan, Send, TaskState

#: the kind of these entries
DROPPED = "dropped_plan"
STOPPED = "stopped_plan"


def note_of(before: Plan, after: Plan, now: datetime) -> Iterator[Event]:
    """The entry that says that something of a plan will not be sent; none when nothing was given up."""
    was_open = {t.task.id for t in before.tasks if t.is_open and isinstance(t.task, Send) and not t.is_own}
    over = {TaskState.FAILED, TaskState.CANCELLED}
    lost = [t for t in after.tasks if t.task.id in was_open and t.state in over]
    if lost:
        yield Event(at=now, kind=DROPPED, note=f"{_what(after)} could not be sent")


def stopped_note(plan: Plan, now: datetime) -> Event:
    """The entry that says that the rest of a plan was stopped."""
    return Event(at=now, kind=STOPPED, note=f"{_what(plan)} was stopped before it was whole")


def _what(plan: Plan) -> str:
    answered = ", ".join(map(str, plan.answers))
    return f"the answer to message {answered}" if answered else "what was planned"
