"""The incidents of a plan: deliveries that may or may not have arrived, and graphs that were given up."""

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime

from shared.executing.outcome import in_doubt
from shared.models.chat import ChatKey
from shared.models.incident import Incident, IncidentKind
from shared.models.plan import Notice, Plan, Rewrite, Send, TaskState
from shared.models.update import InboxUpdate

#: a document holds 1 MiB; an update is at most 64 KiB (tdlib/telegram-bot-api)
LONGEST_BODY = 900_000


def incidents_of(before: Plan, after: Plan, key: ChatKey, now: datetime) -> Iterator[Incident]:
    """What came to be an incident between two states of a plan."""
    for planned, delivery in in_doubt(before, after):
        of = f"{after.id}-{planned.task.id}.{delivery.part}"
        yield _incident(IncidentKind.UNKNOWN_DELIVERY, of, delivery.why, key, now)
    was_failed = {t.task.id for t in before.tasks if t.state is TaskState.FAILED}
    dropped_more = any(
        new.state is TaskState.CANCELLED and old.is_open for old, new in zip(before.tasks, after.tasks, strict=False)
    )
    for t in after.tasks:
        # a refused reaction that takes nothing else with it is no loss, nor is a notice: nobody waits for it
        is_lost = t.state is TaskState.FAILED and t.task.id not in was_failed and not isinstance(t.task, Notice)
        if is_lost and (dropped_more or isinstance(t.task, Send | Rewrite)):
            yield _incident(IncidentKind.DROPPED_PLAN, f"{after.id}-{t.task.id}", t.why, key, now)


def given_up_plan(plan: Plan, key: ChatKey, now: datetime) -> Incident:
    """A plan that is no longer tried."""
    why = next((t.why for t in plan.tasks if t.state is TaskState.CANCELLED), "")
    return _incident(IncidentKind.DROPPED_PLAN, plan.id, why, key, now)


def unreadable_plan(body: str, key: ChatKey, now: datetime) -> Incident:
    """A plan that this version cannot read, with what is kept of it, as JSON, for a person to look at."""
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    why = "the plan is of a shape that this version does not know"
    incident = _incident(IncidentKind.DROPPED_PLAN, f"unreadable-{digest}", why, key, now)
    return incident.model_copy(update={"body": body[:LONGEST_BODY]})


def dead_letter(update: InboxUpdate, why: str) -> Incident:
    """An update that could not be handled, with what is needed to try it again."""
    key, number = update.envelope.key, update.envelope.update_id
    return Incident(
        id=f"dead-{key.id}-{number}",
        kind=IncidentKind.DEAD_LETTER,
        at=update.received_at,
        why=why,
        agent=key.agent,
        chat=key.id,
        body=json.dumps(update.raw, separators=(",", ":"))[:LONGEST_BODY],
        update_id=number,
    )


def _incident(kind: IncidentKind, of: str, why: str, key: ChatKey, now: datetime) -> Incident:
    incident_id = f"{kind.value}-{key.id}-{of}".replace("/", "_")
    return Incident(id=incident_id, kind=kind, at=now, why=why, agent=key.agent, chat=key.id)
