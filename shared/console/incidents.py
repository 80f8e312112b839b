"""Incidents as the owner sees them: what happened, where, and what can be done about it."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import ValidationError

from shared.base.errors import PlanUnreadable
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.incidents import decode_incident
from shared.chat.store.plans import decode_plan
from shared.chat.store.queries import INCIDENTS
from shared.tasks.plan import DeliveryState, Plan, PlannedTask
from shared.upkeep.store.incidents import DOCUMENT_ID
from shared.values.chat_key import ChatKey
from shared.values.incident import Incident, IncidentKind

#: incidents of other owners' agents that are skipped at most for one page
_MOST_READ: Final = 100


class IncidentAction(StrEnum):
    """The owner's actions on an incident: replay a dead letter, send a message again, or drop the incident."""

    REPLAY = "replay"
    RESEND = "resend"
    DROP = "drop"


def actions_of(incident: Incident) -> Sequence[IncidentAction]:
    """Return the actions that are possible for an incident; none once it is settled."""
    if incident.is_settled:
        return ()
    match incident.kind:
        case IncidentKind.DEAD_LETTER:
            return (IncidentAction.REPLAY, IncidentAction.DROP)
        case IncidentKind.UNKNOWN_DELIVERY:
            return (IncidentAction.RESEND, IncidentAction.DROP)
        case _:
            return (IncidentAction.DROP,)


@dataclass(frozen=True, kw_only=True)
class LostDelivery:
    """A message that may not have arrived. `part` is its number, as a task may send its text as several messages."""

    key: ChatKey
    plan: Plan
    task: PlannedTask
    part: int

    @property
    def id(self) -> str:
        """The text `PLAN_ID PART_NUMBER TASK_ID`: the argument of the order that sends the message again."""
        return f"{self.plan.id} {self.part} {self.task.task.id}"

    @property
    def text(self) -> str:
        """The message's text without formatting; "" for messages that are not texts."""
        return self.task.task.in_doubt(self.part).text or ""


@dataclass(frozen=True)
class ConsoleIncidents:
    """Reads incidents. Every method may raise StoreUnavailable or StoreRefused."""

    client: AsyncClient

    async def newest(self, limit: int) -> Sequence[Incident]:
        """Return the newest incidents of all agents, without their bodies."""
        return [one for one in map(_decode, await self._page(None, limit)) if one is not None]

    async def page(self, agents: Collection[str], before: datetime | None, limit: int) -> Sequence[Incident]:
        """Return the newest incidents of these agents. If `before` is given, only earlier incidents are returned."""
        found = list[Incident]()
        read = 0
        while len(found) < limit and read < _MOST_READ:
            snapshots = await self._page(before, limit)
            found += [one for one in map(_decode, snapshots) if one is not None and one.agent in agents]
            read += len(snapshots)
            if len(snapshots) < limit:
                break
            before = snapshots[-1].get("at")
        return found[:limit]

    async def _page(self, before: datetime | None, limit: int) -> Sequence[DocumentSnapshot[Any]]:
        query = INCIDENTS.on(self.client).select(_FIELDS).limit(limit)
        if before is not None:
            query = query.where(filter=FieldFilter("at", "<", before))
        with translate_errors("list the incidents"):
            return list(await query.get(retry=RETRY, timeout=CALL_SECONDS))

    async def lost_delivery(self, incident: Incident) -> LostDelivery | None:
        """Return the incident's message that may not have arrived; None if there is none, or if its plan is gone."""
        found = delivery_named_in(incident)
        if found is None:
            return None
        key, plan_id, task_id, part = found
        places = [paths.plan_path(key), paths.past_plan_path(key, plan_id)]
        plans = await asyncio.gather(*map(self._plan, places))
        plan = next((one for one in plans if one is not None and one.id == plan_id), None)
        return lost_delivery_in(key, plan, task_id, part) if plan is not None else None

    async def _plan(self, path: str) -> Plan | None:
        with translate_errors("read a plan"):
            found = await self.client.document(path).get(retry=RETRY, timeout=CALL_SECONDS)
        try:
            return decode_plan(found.to_dict())
        except PlanUnreadable:
            return None


def delivery_named_in(incident: Incident) -> tuple[ChatKey, str, str, int] | None:
    """Return the chat, plan id, task id and part number that an incident's id contains.

    None if the incident is not about a delivery with an unknown outcome.
    """
    head = f"{IncidentKind.UNKNOWN_DELIVERY.value}-{incident.chat}-"
    if incident.kind is not IncidentKind.UNKNOWN_DELIVERY or not incident.id.startswith(head):
        return None
    plan_id, _, rest = incident.id.removeprefix(head).partition("-")
    task_id, _, part = rest.rpartition(".")
    try:
        return ChatKey.from_id(incident.chat), plan_id, task_id, int(part)
    except ValueError:
        return None


def lost_delivery_in(key: ChatKey, plan: Plan, task_id: str, part: int) -> LostDelivery | None:
    """Return a part of a task as a LostDelivery if its delivery has the state `unknown`; otherwise None.

    `task_id` comes from an incident's id, where each slash of a task's id is an underscore.
    """
    task = next((t for t in plan.tasks if task_id in {t.task.id, t.task.id.replace("/", "_")}), None)
    is_unknown = task is not None and any(
        one.part == part and one.state is DeliveryState.UNKNOWN for one in task.deliveries
    )
    return LostDelivery(key=key, plan=plan, task=task, part=part) if task is not None and is_unknown else None


def is_incident_id(text: str) -> bool:
    return DOCUMENT_ID.fullmatch(text) is not None


#: the fields that are shown; a body may have a megabyte
_FIELDS: Final = [
    "id", "kind", "at", "why", "agent", "chat", "conversation", "update_id", "replayed_at", "dropped_at",
]  # fmt: skip


def _decode(snapshot: DocumentSnapshot[Any]) -> Incident | None:
    try:
        return decode_incident(snapshot.to_dict())
    except ValidationError:
        return None
