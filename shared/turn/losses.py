"""Losses of a plan (texts that do not arrive): incidents for the operator, and events in the conversation."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from shared.base.text import abridge
from shared.tasks.outcome import SORRY, newly_unknown
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.tasks.task import TaskNote
from shared.values.chat import Chat
from shared.values.incident import Incident, IncidentKind, incident_body
from shared.values.message import EXCERPT_CHARACTERS, DueReminder, Event
from shared.values.update import InboxUpdate

#: the kinds of events that report losses
DROPPED = "dropped_plan"
STOPPED_PLAN = "stopped_plan"
IN_DOUBT = "unknown_delivery"


def incidents_of(before: Plan, after: Plan, chat: Chat, now: datetime) -> Iterator[Incident]:
    """Yield an incident for each loss that occurred between two states of a plan.

    No further incident is reported if the apology for a loss fails too, or if the same plan loses more for the same
    reason.
    """
    for planned, delivery in newly_unknown(before, after):
        if planned.task.id == SORRY:
            continue
        of = f"{after.id}-{planned.task.id}.{delivery.part}"
        yield _incident(IncidentKind.UNKNOWN_DELIVERY, of, delivery.why, chat, now)
    was_failed = {t.task.id for t in before.tasks if t.state is TaskState.FAILED}
    known = {t.why for t in before.tasks if t.state is TaskState.FAILED and t.task.traits.on_failure.is_told}
    dropped_more = any(
        new.state is TaskState.CANCELLED and old.is_open for old, new in zip(before.tasks, after.tasks, strict=False)
    )
    for t in after.tasks:
        # a loss that people are not told of, such as a reaction's, is no incident if nothing else depends on it
        is_lost = t.state is TaskState.FAILED and t.task.id not in was_failed and t.task.traits.on_failure.is_incident
        # nor is there an incident if people got an excuse, for example for a picture that a model refuses to draw
        is_lost = is_lost and not t.task.traits.on_failure.is_excused
        is_new = dropped_more or (t.task.traits.on_failure.is_told and t.why not in known)
        if is_lost and t.task.id != SORRY and is_new:
            yield _incident(IncidentKind.DROPPED_PLAN, f"{after.id}-{t.task.id}", t.why, chat, now)


def given_up_plan(plan: Plan, chat: Chat, now: datetime) -> Incident:
    """Return an incident that reports a plan that is not tried again."""
    why = next((t.why for t in plan.tasks if t.state is TaskState.CANCELLED), "")
    return _incident(IncidentKind.DROPPED_PLAN, plan.id, why, chat, now)


def unreadable_plan(body: str, chat: Chat, now: datetime) -> Incident:
    """Return an incident that reports a plan that this version cannot read, with the plan's JSON for an operator."""
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    why = "the plan has a form that this version does not know"
    incident = _incident(IncidentKind.DROPPED_PLAN, f"unreadable-{digest}", why, chat, now)
    return replace(incident, body=incident_body(body))


def lost_reminder(due: DueReminder, why: str, chat: Chat, now: datetime) -> Incident:
    """Return an incident that reports a due reminder whose instruction the model could not carry out."""
    return _incident(IncidentKind.DROPPED_PLAN, f"reminder-{due.id}-{due.due_at.timestamp():.0f}", why, chat, now)


def quarantined_update(update: InboxUpdate, conversation: str, why: str) -> Incident:
    """Return an incident that reports an update that made ticks die, with the data to replay it.

    `conversation`: the id of the conversation in which an event reports that the update was left out.
    """
    key, number = update.envelope.key, update.envelope.update_id
    return Incident(
        id=f"dead-{key.id}-{number}",
        kind=IncidentKind.DEAD_LETTER,
        at=update.received_at,
        why=why,
        agent=key.agent,
        chat=key.id,
        conversation=conversation,
        body=incident_body(update.to_json()),
        update_id=number,
    )


def _incident(kind: IncidentKind, of: str, why: str, chat: Chat, now: datetime) -> Incident:
    incident_id = f"{kind.value}-{chat.key.id}-{of}".replace("/", "_")
    return Incident(
        id=incident_id,
        kind=kind,
        at=now,
        why=why,
        agent=chat.key.agent,
        chat=chat.key.id,
        conversation=chat.conversation,
    )


def loss_events(before: Plan, after: Plan, now: datetime) -> Iterator[Event]:
    """Yield an event for each task that will not be sent or may not have arrived, if its kind reports losses."""
    for planned, delivery in newly_unknown(before, after):
        if planned.task.traits.on_failure.is_told:
            note = _doubt_note(planned.task.in_doubt(delivery.part))
            yield Event(at=now, kind=IN_DOUBT, note=note, holds_outside=planned.is_marked)
    was_open = {t.task.id for t in before.tasks if t.is_open and t.task.traits.on_failure.is_told}
    over = {TaskState.FAILED, TaskState.CANCELLED}
    lost = [t for t in after.tasks if t.task.id in was_open and t.state in over]
    # the loss of a text that consists of several messages is reported once
    known = {_loss_note(t, before) for t in before.tasks if t.state in over and t.task.traits.on_failure.is_told}
    notes = [note for note in dict.fromkeys(_loss_note(t, after) for t in lost) if note not in known]
    tainted = {_loss_note(t, after) for t in lost if t.is_marked}
    yield from (Event(at=now, kind=DROPPED, note=note, holds_outside=note in tainted) for note in notes)


def stopped_event(plan: Plan, now: datetime) -> Event:
    """Return the entry that reports that a plan was stopped before all of it was sent."""
    return Event(at=now, kind=STOPPED_PLAN, note=f"{_answer_name(plan)} was stopped before it was whole")


def _doubt_note(told: TaskNote) -> str:
    if told.text is None:
        return told.what
    return f'{told.what}: "{abridge(told.text, EXCERPT_CHARACTERS)}"'


def _loss_note(planned: PlannedTask, plan: Plan) -> str:
    if own := planned.task.loss():
        return own
    if planned.task.id == SORRY:
        return f"nobody could be told that {_answer_name(plan)} could not be sent"
    return f"{'the answer to a command' if planned.is_own else _answer_name(plan)} could not be sent"


def _answer_name(plan: Plan) -> str:
    answered = ", ".join(map(str, plan.answers))
    return f"the answer to message {answered}" if answered else "what was planned"
