"""Receiving: what the webhook does with one update. As little as can be done safely, and all of it repeatable."""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.logs import about, log
from shared.models.chat import Chat
from shared.models.incident import Incident, IncidentKind
from shared.models.update import Envelope, InboxUpdate, Json
from shared.models.wake import Wake, WakeReason
from shared.ports.chats import Inbox, TickQueue
from shared.telegram.envelope import read_envelope
from shared.telegram.urgency import Names, Urgency, urgency_of, wants_typing

#: Telegram's own limit for an update is 64 KiB (tdlib/telegram-bot-api)
LONGEST_BODY = 1024 * 1024
#: of a body that is no text at all each byte may become three, and a document holds 1 MiB
LONGEST_DEAD_LETTER = 300_000


@dataclass(frozen=True, kw_only=True)
class Receiver:
    """What receiving needs: the inbox, the queue, each agent's names, and the quiet times."""

    inbox: Inbox
    queue: TickQueue
    names: Mapping[str, Names]
    quiet: Mapping[str, timedelta]
    later: timedelta


@dataclass(frozen=True)
class Arrival:
    """One request of Telegram's: for which agent, its body, when it came, and the trace it belongs to."""

    agent: str
    body: bytes
    at: datetime
    traceparent: str = field(default="")


def is_from_telegram(given: str, secret: str) -> bool:
    """Whether the secret header is right, compared in constant time."""
    return hmac.compare_digest(given.encode(errors="replace"), secret.encode())


async def receive(receiver: Receiver, arrival: Arrival) -> Json | None:
    """Store one update and have a tick look at it; returns the Bot API call for the response's body, if any.

    Raises StoreUnavailable or QueueUnavailable: then the answer is a 500 and Telegram sends the update again.
    """
    update = _json_object(arrival.body)
    envelope = read_envelope(arrival.agent, update) if update is not None else None
    if update is None or envelope is None:
        incident = dead_letter(arrival)
        if await receiver.inbox.add_incident(incident):
            log("an incident", kind=incident.kind.value, incident=incident.id)
        log("kept a body that is no update", agent=arrival.agent)
        return None
    with about(chat=envelope.key.id, update=envelope.update_id):
        is_new = await receiver.inbox.add(InboxUpdate(envelope=envelope, raw=update, received_at=arrival.at))
        chat = await receiver.inbox.chat(envelope.key)
        await receiver.queue.enqueue(_wake(receiver, arrival, envelope, update, chat))
        log("stored an update" if is_new else "met an update again", kind=envelope.kind)
        is_heard = not chat.is_muted(arrival.at)
    return typing_call(envelope) if is_heard and wants_typing(envelope, update) else None


def _wake(receiver: Receiver, arrival: Arrival, envelope: Envelope, update: Json, chat: Chat) -> Wake:
    names, at = receiver.names.get(arrival.agent, Names()), arrival.at
    urgency = urgency_of(envelope, update, names, chat.is_active(at), chat.is_held(at))
    rest = {
        Urgency.STOP: timedelta(),
        Urgency.NOW: timedelta(),
        Urgency.SOON: receiver.quiet.get(envelope.chat_kind.value, timedelta()),
        Urgency.LATER: receiver.later,
    }[urgency]
    return Wake(
        key=envelope.key,
        reason=WakeReason(urgency.value),
        at=arrival.at + rest,
        # a wish to stop is for whoever holds the chat, whatever the generation
        of=str(envelope.update_id if urgency is Urgency.STOP else chat.generation),
        since=arrival.at,
        traceparent=arrival.traceparent,
    )


def typing_call(envelope: Envelope) -> Json:
    """The `sendChatAction` that rides on the response: it costs no call."""
    topic = {"message_thread_id": envelope.key.topic_id} if envelope.key.topic_id else {}
    return {"method": "sendChatAction", "chat_id": envelope.key.chat_id, "action": "typing", **topic}


def dead_letter(arrival: Arrival) -> Incident:
    """What cannot be read at all, kept under the hash of its body."""
    digest = hashlib.sha256(arrival.agent.encode() + b"\n" + arrival.body).hexdigest()
    return Incident(
        id=f"dead-{digest[:32]}",
        kind=IncidentKind.DEAD_LETTER,
        at=arrival.at,
        why="the body is not a JSON update",
        agent=arrival.agent,
        body=arrival.body[:LONGEST_DEAD_LETTER].decode(errors="replace"),
    )


def _json_object(body: bytes) -> Json | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
