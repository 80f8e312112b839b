"""Firestore's layout: where each document is, what it holds, and how long it is kept. Nothing else names a path.

Each form stands here as a pair: `encode_…` makes the document, `decode_…` reads it. Where a document is one model as it
is, its decoder is that model's `model_validate`; entries are read in `records/transcripts.py`, people in `people.py`.
The webhook imports this module, so what only ticks need is imported for types alone.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from google.cloud.firestore_v1.transforms import SERVER_TIMESTAMP

from shared.logs import current_trace
from shared.models.chat_key import ChatKey, ChatKind, ChatStatus
from shared.models.incident import Incident
from shared.models.update import Envelope, InboxUpdate

if TYPE_CHECKING:
    from shared.models.chat import Chat
    from shared.models.message import AnyEntry
    from shared.models.prompt import CompressionSummary
    from shared.ports.upkeep import Cursor
    from shared.tasks.plan import Plan

Document = dict[str, Any]

CHATS = "chats"
INBOX = "inbox"
CONVERSATIONS = "conversations"
MESSAGES = "messages"
INCIDENTS = "incidents"
#: how far the last sweep came with each kind of left-over
SWEEP_CURSORS = "sweeps/cursors"
CANARY_REPORT = "canaries/last"  #: of the newest run alone

#: after it was read: Telegram repeats an update for 24 h (tdlib/telegram-bot-api), and a repeat is to stay one
KEPT_UPDATES = timedelta(days=7)
KEPT_INCIDENTS = timedelta(days=90)
#: as long as somebody may ask what became of an answer
KEPT_PLANS = timedelta(days=90)
#: the field that Firestore deletes a document by
EXPIRES = "expires_at"
#: a document holds 1 MiB; a longer raw update is compressed
LONGEST_RAW = 500_000


# --- paths


def chat_path(key: ChatKey) -> str:
    """Where a chat is."""
    return chat_path_of(key.id)


def chat_path_of(chat_id: str) -> str:
    """Where the chat with this document id is."""
    return f"{CHATS}/{chat_id}"


def chat_id_in(path: str) -> str:
    """The id of a chat's document, from its own path or from one below it."""
    return path.split("/")[1]


def inbox_path(key: ChatKey) -> str:
    """The collection of a chat's updates."""
    return f"{chat_path(key)}/{INBOX}"


def update_path(key: ChatKey, update_id: int) -> str:
    """Where an update is: padded, so that the order of the names is the order of the ids."""
    return f"{inbox_path(key)}/{update_id:020d}"


def window_path(key: ChatKey) -> str:
    """Where the newest entries of a chat's conversation are together."""
    return f"{chat_path(key)}/window/current"


def conversation_path(conversation: str) -> str:
    """Where a conversation is."""
    return f"{CONVERSATIONS}/{conversation}"


def pages_path(conversation: str) -> str:
    """The collection of the pages of a conversation's transcript."""
    return f"{conversation_path(conversation)}/{MESSAGES}"


def page_path(conversation: str, first_seq: int) -> str:
    """Where the page is that begins with this entry: padded, as an update's."""
    return f"{pages_path(conversation)}/{first_seq:010d}"


def compression_path(conversation: str) -> str:
    """Where the summary of a conversation's older part is."""
    return f"{conversation_path(conversation)}/compression/current"


def plan_path(key: ChatKey) -> str:
    """Where a chat's standing or last plan is."""
    return f"plans/{key.id}"


def past_plan_path(key: ChatKey, plan_id: str) -> str:
    """Where a plan is kept that another replaced."""
    return f"{plan_path(key)}/past/{plan_id}"


def incident_path(incident_id: str) -> str:
    """Where an incident is."""
    return f"{INCIDENTS}/{incident_id}"


def bot_path(agent: str) -> str:
    """Where an agent's bot is: its owner, and which chats were told to wait."""
    return f"bots/{agent}"


def person_path(person_id: int) -> str:
    """Where it is kept what a person told of themselves."""
    return f"people/{person_id}"


def entity_path(key: ChatKey) -> str:
    """Where it is kept what Telegram said of a chat, whatever topic of it; hashed, so that the names spread."""
    return f"entities/{hashlib.sha256(f'{key.agent} {key.chat_id}'.encode()).hexdigest()[:20]}"


def archive_cursor_path(archive: str) -> str:
    """Where it is kept how far an archive came; named by a hash, since the archive's name is a URL."""
    return f"archives/{hashlib.sha256(archive.encode()).hexdigest()[:20]}"


# --- chats


def encode_chat(chat: Chat, stamp: str = "") -> Document:
    """A chat's document. `stamp` names the commit that writes it, so that the commit can be recognised."""
    return chat.model_dump() | ({"stamp": stamp} if stamp else {})


def decode_status(document: Document | None) -> ChatStatus:
    """What the webhook is to know of a chat; of a new one, when there is no document."""
    known = document or {}
    return ChatStatus(
        generation=known.get("generation", 0),
        held_until=(known.get("lease") or {}).get("until"),
        active_until=known.get("active_until"),
        muted_until=known.get("muted_until"),
    )


def stamp_in(document: Document) -> str:
    """Which commit wrote a chat's document last."""
    return str(document.get("stamp", ""))


# --- updates


def encode_update(update: InboxUpdate) -> Document:
    """An unread update: the raw JSON is one string, which costs no index entries and no depth."""
    raw = update.to_json()  # ASCII: lone surrogates, which Firestore refuses, stay escapes
    return {
        "update_id": update.envelope.update_id,
        "kind": update.envelope.kind,
        "chat_kind": update.envelope.chat_kind.value,
        "received_at": update.received_at,
        "read": False,
        "trace": current_trace(),
        "raw": raw if len(raw) <= LONGEST_RAW else zlib.compress(raw.encode()),
    }


def decode_update(key: ChatKey, document: Document) -> InboxUpdate:
    """The update."""
    envelope = Envelope(
        update_id=document["update_id"],
        kind=document["kind"],
        key=key,
        chat_kind=ChatKind(document["chat_kind"]),
    )
    return InboxUpdate(envelope=envelope, raw=decode_raw(document), received_at=document["received_at"])


def decode_raw(document: Document) -> Any:
    """An update's raw JSON."""
    raw = document["raw"]
    return json.loads(raw if isinstance(raw, str) else zlib.decompress(raw))


def as_read(now: datetime) -> Document:
    """What an update's document changes to when it was read: only from then on it may be deleted."""
    return {"read": True, EXPIRES: now + KEPT_UPDATES}


# --- incidents


def encode_incident(incident: Incident) -> Document:
    """An incident, with its TTL."""
    return asdict(incident) | {EXPIRES: incident.at + KEPT_INCIDENTS}


# --- transcripts and what follows from them


def encode_page(entries: Sequence[AnyEntry]) -> Document:
    """Some consecutive entries of a transcript."""
    return {"first_seq": entries[0].seq, "entries": [entry.model_dump() for entry in entries]}


def encode_window(chat: Chat, entries: str) -> Document:
    """The newest entries as one document; current while it ends where the chat's document says.

    The entries are one JSON text: each tick reads and writes all of them, and a text takes a tenth of the time that as
    many maps take.
    """
    return {"seq": chat.seq, "conversation": chat.conversation, "entries": entries}


def is_current(window: Document, chat: Chat) -> bool:
    """Whether a window's document ends where the chat's conversation does."""
    return bool(window.get("seq") == chat.seq and window.get("conversation") == chat.conversation)


def encode_conversation(chat: Chat, newest_at: datetime | None) -> Document:
    """What a conversation's document says of itself, to be merged into it.

    It has a title only once a person gave it one. `changed_at` is by the server's clock: the archive asks for what
    changed, and a message's own time may be yesterday's.
    """
    own_title = {"title": chat.conversation_title, "manually_named": True} if chat.conversation_title else {}
    return {
        "agent": chat.key.agent,
        "chat": chat.key.id,
        "chat_kind": chat.kind.value,
        "chat_title": chat.title,
        "model": chat.model,
        "entries": chat.seq,
        "turns": chat.turn,
        "updated_at": newest_at,
        "changed_at": SERVER_TIMESTAMP,
        **own_title,
    }


def encode_compression(summary: CompressionSummary) -> Document:
    """The summary of a conversation's older part."""
    return summary.model_dump()


# --- plans


def encode_plan(plan: Plan) -> Document:
    """A chat's plan."""
    return plan.model_dump()


def encode_past_plan(plan: Plan) -> Document:
    """A plan that another replaced, with its TTL."""
    return plan.model_dump() | {EXPIRES: plan.created_at + KEPT_PLANS}


# --- bots


def encode_waits(waits: Mapping[int, Any]) -> Document:
    """The ends of flood waits by chat id, to be merged into a bot's document; DELETE_FIELD removes one."""
    return {"waits": {str(chat_id): until for chat_id, until in waits.items()}}


def decode_waits(document: Document | None) -> dict[int, datetime]:
    """Chat id → the end of its flood wait."""
    return {int(chat_id): until for chat_id, until in (document or {}).get("waits", {}).items()}


def encode_owner(person_id: int, at: datetime) -> Document:
    """Whose an agent is, and since when."""
    return {"owner": person_id, "claimed_at": at}


def decode_owner(document: Document | None) -> int | None:
    """The id of the person who owns an agent; none if nobody does."""
    owner: int | None = (document or {}).get("owner")
    return owner


# --- cursors


def encode_cursor(cursor: Cursor) -> Document:
    """How far something came; `Cursor(**document)` reads it."""
    return {"at": cursor.at, "path": cursor.path}
