"""Replays dead letters (updates that lull could not process). Repeating a request does not replay an update twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from shared.base.errors import QueueError, StoreRefused, WriteConflict
from shared.base.logs import about
from shared.chat.jobs.receive import Inbox, UpdateReceiver, WebhookRequest, receive
from shared.telegram.inbound.envelope import read_envelope
from shared.upkeep.store.incidents import IncidentSnapshot
from shared.values.chat_key import ChatKey, ChatStatus
from shared.values.incident import Incident, IncidentKind
from shared.values.update import InboxUpdate
from shared.values.wake import Wake, WakeReason

if TYPE_CHECKING:
    from shared.upkeep.store.incidents import FirestoreIncidents

#: the reasons why other incidents are not replayed, and what happens instead
NOT_REPLAYED = {
    IncidentKind.UNKNOWN_DELIVERY: "an unknown delivery is never sent again, since it may have arrived; "
    "people who miss an answer ask again",
    IncidentKind.DROPPED_PLAN: "a dropped plan is not replayed; the next message in its chat makes a new plan",
    IncidentKind.REFUSED_WAKE: "a refused wake is not replayed: the inbox has the update, and the sweep wakes its chat",
}


@dataclass(frozen=True, kw_only=True)
class Replayer:
    """The dependencies of replaying: the incidents, and the webhook's `receiver`, which knows all agents' names."""

    incidents: FirestoreIncidents
    receiver: UpdateReceiver
    clock: Callable[[], datetime]


@dataclass(frozen=True, kw_only=True)
class ReplayOutcome:
    """The result of a request to replay, as a sentence that quotes nothing from the update."""

    #: whether the incident was replayed, now or before
    is_done: bool
    said: str


async def replay(replayer: Replayer, seen: IncidentSnapshot, traceparent: str) -> ReplayOutcome:
    """Replay an incident. Raises StoreUnavailable or QueueUnavailable; the replay may then be requested again."""
    incident = seen.incident
    if incident.kind is not IncidentKind.DEAD_LETTER:
        return ReplayOutcome(is_done=False, said=NOT_REPLAYED.get(incident.kind, "it is not a dead letter"))
    if incident.replayed_at is not None:
        await _wake_again(replayer, incident, incident.replayed_at, traceparent)
        return ReplayOutcome(
            is_done=True, said=f"it was replayed at {incident.replayed_at:%Y-%m-%d %H:%M:%S} UTC already"
        )
    if incident.agent not in replayer.receiver.names:
        return ReplayOutcome(is_done=False, said=f"the agent {incident.agent} no longer exists")
    try:
        if incident.update_id is None:
            return await _receive_again(replayer, seen, traceparent)
        return await _put_back(replayer, seen, traceparent)
    except WriteConflict as contended:
        return ReplayOutcome(is_done=False, said=str(contended))
    except StoreRefused as refused:
        return ReplayOutcome(is_done=False, said=f"it still cannot be stored: {refused}")


async def _receive_again(replayer: Replayer, seen: IncidentSnapshot, traceparent: str) -> ReplayOutcome:
    """Process the request body of an invalid update again, as the webhook does."""
    attempt = _NotingInbox(replayer.receiver.inbox)
    now = replayer.clock()
    arrival = WebhookRequest(seen.incident.agent, seen.incident.body.encode(errors="surrogatepass"), now, traceparent)
    await receive(replace(replayer.receiver, inbox=attempt), arrival)
    if attempt.refused is not None:
        return ReplayOutcome(is_done=False, said=f"lull still cannot read it: {attempt.refused.why}")
    await replayer.incidents.note_replay(seen, now)
    if attempt.has_no_wake:
        return ReplayOutcome(
            is_done=True, said="it was received; the next sweep wakes its chat, since no tick could be made"
        )
    return ReplayOutcome(is_done=True, said="it was received, and a tick reads it")


async def _put_back(replayer: Replayer, seen: IncidentSnapshot, traceparent: str) -> ReplayOutcome:
    """Make a quarantined update unread again."""
    now = replayer.clock()
    update = _update_of(seen.incident, now)
    if update is None:
        return ReplayOutcome(is_done=False, said="the stored body is not this update, so it cannot be replayed")
    key = update.envelope.key
    with about(chat=key.id, update=update.envelope.update_id):
        await replayer.incidents.put_back(seen, update, now)
        try:
            await replayer.receiver.queue.enqueue(_wake(key, seen.incident, now, traceparent))
        except QueueError as error:  # the sweep wakes the chat in any case
            return ReplayOutcome(
                is_done=True, said=f"it is in the inbox again; the next sweep wakes its chat, since {error}"
            )
    return ReplayOutcome(is_done=True, said="it is in the inbox again, and a tick reads it")


async def _wake_again(replayer: Replayer, incident: Incident, at: datetime, traceparent: str) -> None:
    """Enqueue a tick for an update that an earlier run put back into the inbox, in case that run died before it
    enqueued one. The task has the same name as that run's task, so Cloud Tasks makes no second tick.
    """
    if incident.update_id is not None:
        with suppress(QueueError):  # the sweep wakes the chat in any case
            await replayer.receiver.queue.enqueue(_wake(ChatKey.from_id(incident.chat), incident, at, traceparent))


def _update_of(incident: Incident, now: datetime) -> InboxUpdate | None:
    """Return the update for the chat where it was quarantined; None if the stored body is not the incident's update.

    The time of receipt is set to now, so that the sweep does not wake the chat before the update's tick had time.
    """
    try:
        raw = json.loads(incident.body)
        envelope = read_envelope(incident.agent, raw) if isinstance(raw, dict) else None
        key = ChatKey.from_id(incident.chat)
    except (ValueError, RecursionError):
        return None
    if envelope is None or envelope.update_id != incident.update_id:
        return None
    return InboxUpdate(envelope=replace(envelope, key=key), raw=raw, received_at=now)


def _wake(key: ChatKey, incident: Incident, now: datetime, traceparent: str) -> Wake:
    """Return the request for a tick. Its task name has the current time, so the name is new for each replay."""
    of = f"{incident.id}@{now.timestamp():.6f}"
    return Wake(key=key, reason=WakeReason.REPLAY, at=now, of=of, traceparent=traceparent)


class _NotingInbox:
    """The inbox for a replay. A new dead letter is only noted in `refused`, since the old one is still stored."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self.refused: Incident | None = None
        self.has_no_wake = False

    async def add(self, update: InboxUpdate) -> bool:
        return await self._inbox.add(update)

    async def status(self, key: ChatKey) -> ChatStatus:
        return await self._inbox.status(key)

    async def add_incident(self, incident: Incident) -> bool:
        if incident.kind is not IncidentKind.DEAD_LETTER:
            self.has_no_wake = incident.kind is IncidentKind.REFUSED_WAKE
            return await self._inbox.add_incident(incident)
        self.refused = incident
        return False
