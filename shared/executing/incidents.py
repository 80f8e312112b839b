"""The incidents of a plan: deliveries that may or may not have arrived, and graphs that were given up."""

from collections.abc import Iterator
from datetime import datetime

from shared.models.chat import ChatKey
from shared.models.delivery import Delivery, DeliveryState
from shared.models.incident import Incident, IncidentKind
from shared.models.plan import Plan, Send, TaskState


def incidents_of(before: Plan, after: Plan, key: ChatKey, now: datetime) -> Iterator[Incident]:
    """What came to be an incident between two states of a plan."""
    was_unknown = {name for name, _ in _unknown(before)}
    for name, delivery in _unknown(after):
        if name not in was_unknown:
            yield _incident(IncidentKind.UNKNOWN_DELIVERY, f"{after.id}-{name}", delivery.why, key, now)
    was_failed = {t.task.id for t in before.tasks if t.state is TaskState.FAILED}
    dropped_more = any(
        new.state is TaskState.CANCELLED and old.is_open for old, new in zip(before.tasks, after.tasks, strict=True)
    )
    for t in after.tasks:
        # a refused reaction that takes nothing else with it is no loss: nobody waits for it
        if t.state is TaskState.FAILED and t.task.id not in was_failed and (dropped_more or isinstance(t.task, Send)):
            yield _incident(IncidentKind.DROPPED_PLAN, f"{after.id}-{t.task.id}", t.why, key, now)


def _unknown(plan: Plan) -> list[tuple[str, Delivery]]:
    return [(f"{t.task.id}.{d.part}", d) for t in plan.tasks for d in t.deliveries if d.state is DeliveryState.UNKNOWN]


def _incident(kind: IncidentKind, of: str, why: str, key: ChatKey, now: datetime) -> Incident:
    incident_id = f"{kind.value}-{key.id}-{of}".replace("/", "_")
    return Incident(id=incident_id, kind=kind, at=now, why=why, agent=key.agent, chat=key.id)
