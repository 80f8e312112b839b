"""What a conversation is told of its own plans, so that the next one is made knowing it."""

from collections.abc import Iterator
from datetime import datetime

from shared.executing.outcome import SORRY, in_doubt
from shared.formatting.render import render
from shared.models.message import EXCERPT_CHARACTERS, TITLED, Event
from shared.models.plan import Plan, PlannedTask, Rewrite, Send, TaskState

#: the kind of these entries
DROPPED = "dropped_plan"
STOPPED = "stopped_plan"
IN_DOUBT = "unknown_delivery"


def note_of(before: Plan, after: Plan, now: datetime) -> Iterator[Event]:
    """The entries that say what of a plan will not be sent, and what may have arrived; none when nothing was lost.

    A reaction is not spoken of: one that is made twice is one.
    """
    for planned, delivery in in_doubt(before, after):
        if isinstance(planned.task, Send | Rewrite):
            yield Event(at=now, kind=IN_DOUBT, note=_doubt(planned.task, delivery.part))
    was_open = {t.task.id for t in before.tasks if t.is_open and isinstance(t.task, Send | Rewrite)}
    over = {TaskState.FAILED, TaskState.CANCELLED}
    lost = [t for t in after.tasks if t.task.id in was_open and t.state in over]
    # a text of several messages is given up once
    for note in dict.fromkeys(_lost(t, after) for t in lost):
        yield Event(at=now, kind=DROPPED, note=note)


def stopped_note(plan: Plan, now: datetime) -> Event:
    """The entry that says that the rest of a plan was stopped."""
    return Event(at=now, kind=STOPPED, note=f"{_what(plan)} was stopped before it was whole")


def _doubt(task: Send | Rewrite, part: int) -> str:
    # what is rendered otherwise since then is told whole
    text = "".join(found.text for found in render(task.text)[part : part + 1]) or task.text
    excerpt = text if len(text) <= EXCERPT_CHARACTERS else f"{text[: EXCERPT_CHARACTERS - 1].rstrip()}…"
    happened = "arrived" if isinstance(task, Send) else "been changed to"
    return f'a message of yours may or may not have {happened}: "{excerpt}"'


def _lost(planned: PlannedTask, plan: Plan) -> str:
    if isinstance(planned.task, Rewrite):
        return "what was chosen with a button could not be shown below it"
    if planned.task.id == SORRY:
        return f"nobody could be told that {_what(plan)} could not be sent"
    return f"{'the answer to a command' if planned.is_own else _what(plan)} could not be sent"


def titled_note(title: str, now: datetime) -> Event:
    """The entry that says what the conversation is called from then on; prompts show the command that said so."""
    return Event(at=now, kind=TITLED, title=title)


def _what(plan: Plan) -> str:
    answered = ", ".join(map(str, plan.answers))
    return f"the answer to message {answered}" if answered else "what was planned"
