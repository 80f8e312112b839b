"""The webhook's work: stores one update and schedules a tick. Every step may be repeated without harm.

Until Telegram gets a 200, it repeats an update for up to a day and delays the later ones of the chat. So a temporary
failure is answered with 500. An update that can never be stored is kept as a dead letter and answered with 200.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from shared.base.errors import QueueRefused, StoreError, StoreRefused
from shared.base.logs import about, log, log_failure
from shared.chat.jobs.warm import TickStart
from shared.chat.queue import TickQueue
from shared.telegram.inbound.envelope import read_envelope
from shared.telegram.inbound.urgency import AgentNames, UpdateUrgency, typing_call, urgency_of_update, wants_typing
from shared.values.chat_key import ChatKey, ChatStatus
from shared.values.incident import Incident, IncidentKind, incident_body
from shared.values.update import Envelope, InboxUpdate, Json
from shared.values.wake import Wake, WakeReason

if TYPE_CHECKING:
    from shared.chat.store.inbox import FirestoreInbox

#: the reason of a dead letter whose body is not an update
NO_UPDATE = "the body is not a JSON update"
#: Telegram's own limit for an update is 64 KiB (tdlib/telegram-bot-api)
LONGEST_BODY = 1024 * 1024


class Inbox(Protocol):
    """Stores updates. Implemented by Firestore's inbox, and by a wrapper that inspects each update first."""

    async def add(self, update: InboxUpdate) -> bool:
        """Store an update. Return False if it was stored before. Raises StoreUnavailable or StoreRefused."""

    async def status(self, key: ChatKey) -> ChatStatus:
        """Return what the webhook needs to know about a chat, even an unknown one. Raises StoreUnavailable."""

    async def add_incident(self, incident: Incident) -> bool:
        """Store an incident. Return False if one with this id exists. Raises StoreUnavailable or StoreRefused."""


@dataclass(frozen=True, kw_only=True)
class UpdateReceiver:
    """The stores, queues and settings that the webhook needs to receive an update."""

    inbox: Inbox
    queue: TickQueue
    names: Mapping[str, AgentNames]
    quiet: Mapping[str, timedelta]
    later: timedelta
    #: gives the usernames that Telegram reported; None: use those in `names`
    usernames: FirestoreInbox | None = None
    #: None: the webhook does not warm the tick function up
    tick_start: TickStart | None = None


@dataclass(frozen=True)
class WebhookRequest:
    """One request from Telegram: the agent that it is for, its body, its time and its trace."""

    agent: str
    body: bytes
    at: datetime
    traceparent: str = field(default="")


class BodyTooLarge(Exception):
    """The request's body is longer than allowed."""


async def read_body(chunks: AsyncIterator[bytes], longest: int) -> bytes:
    """Return the body, of at most `longest` bytes. Raises BodyTooLarge."""
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > longest:
            raise BodyTooLarge
    return bytes(body)


def is_from_telegram(given: str, secret: str) -> bool:
    """Return whether the request's header has the right secret. The comparison takes constant time."""
    return hmac.compare_digest(given.encode(errors="replace"), secret.encode())


async def receive(receiver: UpdateReceiver, webhook_request: WebhookRequest) -> Json | None:
    """Store one update and schedule a tick. Return a Bot API call that becomes the body of the response, or None.

    Raises StoreUnavailable or QueueUnavailable, and StoreRefused if not even a dead letter could be stored. In these
    cases the response is a 500, and Telegram sends the update again.
    """
    if receiver.tick_start is None:
        return await _receive(receiver, webhook_request)
    call, _ = await asyncio.gather(_receive(receiver, webhook_request), receiver.tick_start.ask(webhook_request.at))
    return call


async def _receive(receiver: UpdateReceiver, webhook_request: WebhookRequest) -> Json | None:
    update = _json_object(webhook_request.body)
    envelope = read_envelope(webhook_request.agent, update) if update is not None else None
    if update is None or envelope is None:
        await _keep(receiver, refused_body(webhook_request, NO_UPDATE))
        log("kept a body that is not an update", agent=webhook_request.agent)
        return None
    with about(chat=envelope.key.id, update=envelope.update_id):
        arrived = InboxUpdate(envelope=envelope, raw=update, received_at=webhook_request.at)
        try:
            is_new = await receiver.inbox.add(arrived)
        except StoreRefused as refused:
            log_failure(refused)
            await _keep(receiver, refused_body(webhook_request, str(refused), envelope))
            return None
        chat = await wake_chat(receiver, arrived, webhook_request.traceparent)
        log("stored an update" if is_new else "met an update again", kind=envelope.kind)
        is_heard = not (chat.is_muted(webhook_request.at) or chat.is_turned_away)
    return typing_call(envelope) if is_heard and wants_typing(envelope, update) else None


async def wake_chat(receiver: UpdateReceiver, update: InboxUpdate, traceparent: str = "") -> ChatStatus:
    """Schedule a tick that reads a stored update of any channel. Return the chat's status.

    Raises StoreUnavailable or QueueUnavailable, and StoreRefused if an incident could not be stored.
    """
    envelope, at = update.envelope, update.received_at
    agent = envelope.key.agent
    chat, usernames = await asyncio.gather(receiver.inbox.status(envelope.key), _usernames(receiver, agent, at))
    names = _names_getter(receiver, agent, usernames)
    urgency = urgency_of_update(update, names, chat.is_active(at), chat.is_held(at))
    await _wake_up(receiver, _wake(receiver, update, urgency, chat, traceparent))
    return chat


async def _wake_up(receiver: UpdateReceiver, wake: Wake) -> None:
    """Schedule a tick. If Cloud Tasks will never accept its task, store an incident; the sweep later schedules one."""
    try:
        await receiver.queue.enqueue(wake)
    except QueueRefused as refused:
        log_failure(refused)
        await _keep(receiver, refused_wake(wake, str(refused)))


async def _keep(receiver: UpdateReceiver, incident: Incident) -> None:
    """Store an incident, and log it only the first time."""
    if await receiver.inbox.add_incident(incident):
        log("an incident", kind=incident.kind.value, incident=incident.id)


def _names_getter(receiver: UpdateReceiver, agent: str, usernames: tuple[str, ...]) -> Callable[[], AgentNames]:
    """Return a function that returns the agent's names, with the usernames from Telegram if they are known."""

    def names() -> AgentNames:
        written = receiver.names.get(agent, AgentNames())
        return replace(written, usernames=usernames) if usernames else written

    return names


async def _usernames(receiver: UpdateReceiver, agent: str, at: datetime) -> tuple[str, ...]:
    if receiver.usernames is None:
        return ()
    try:
        return await receiver.usernames.usernames(agent, at)
    except StoreError as error:  # the update is stored already; the tick checks the names itself
        log_failure(error)
        return ()


def _wake(
    receiver: UpdateReceiver, update: InboxUpdate, urgency: UpdateUrgency, chat: ChatStatus, traceparent: str
) -> Wake:
    envelope, at = update.envelope, update.received_at
    rest = {
        UpdateUrgency.STOP: timedelta(),
        UpdateUrgency.NOW: timedelta(),
        UpdateUrgency.SOON: receiver.quiet.get(envelope.chat_kind.value, timedelta()),
        UpdateUrgency.LATER: receiver.later,
    }[urgency]
    return Wake(
        key=envelope.key,
        reason=WakeReason(urgency.value),
        at=at + rest,
        # a stop request is for the tick that holds the chat, whatever its generation
        of=str(envelope.update_id if urgency is UpdateUrgency.STOP else chat.generation),
        since=at,
        traceparent=traceparent,
    )


def refused_body(webhook_request: WebhookRequest, why: str, envelope: Envelope | None = None) -> Incident:
    """Return an incident that reports a request whose body cannot be read or stored.

    The incident's id is a hash of the body. The incident contains as much of the body as fits.
    """
    digest = hashlib.sha256(webhook_request.agent.encode() + b"\n" + webhook_request.body).hexdigest()
    text = webhook_request.body.decode(errors="replace")  # a byte of a binary body may become three bytes of text
    return Incident(
        id=f"dead-{digest[:32]}",
        kind=IncidentKind.DEAD_LETTER,
        at=webhook_request.at,
        why=why,
        agent=webhook_request.agent,
        chat=envelope.key.id if envelope else "",
        body=incident_body(text),
        update_id=envelope.update_id if envelope else None,
    )


def refused_wake(wake: Wake, why: str) -> Incident:
    """Return an incident about a tick whose task Cloud Tasks will never accept. Its id contains the task's name."""
    return Incident(
        id=f"wake-{wake.name}",
        kind=IncidentKind.REFUSED_WAKE,
        at=wake.since or wake.at,
        why=why,
        agent=wake.key.agent,
        chat=wake.key.id,
    )


def _json_object(body: bytes) -> Json | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
