"""The content of Firestore's documents and how long they are kept. `paths.py` has their places.

`encode_…` makes a document, `decode_…` reads it. The webhook imports this module. So models that only ticks need are
imported for types alone, and each store module validates its own.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from shared.base.logs import current_trace
from shared.values.chat_key import ChatKey, ChatKind, ChatStatus
from shared.values.incident import Incident
from shared.values.update import Envelope, InboxUpdate

if TYPE_CHECKING:
    from shared.values.chat import Chat

Document = dict[str, Any]


#: a Telegram id as a field's name
ID = re.compile(r"-?[0-9]{1,19}")
#: how long a read update is kept: Telegram repeats updates for 24 h (tdlib/telegram-bot-api), which must be known
KEPT_UPDATES = timedelta(days=7)
KEPT_INCIDENTS = timedelta(days=90)
#: the TTL field of documents
EXPIRES = "expires_at"
#: a document holds 1 MiB; a longer raw update is compressed
LONGEST_RAW = 500_000


# --- chats


def encode_chat(chat: Chat, stamp: str = "") -> Document:
    """A chat's document. `stamp` names the commit that writes it, so that the commit can be recognised."""
    return chat.model_dump() | ({"stamp": stamp} if stamp else {})


def decode_status(document: Document | None) -> ChatStatus:
    """Return the webhook's view of a chat; that of a new one without a document. Malformed fields are dropped."""
    known = document or {}
    lease = known.get("lease")
    return ChatStatus(
        generation=generation_in(known),
        held_until=_moment(lease.get("until") if isinstance(lease, Mapping) else None),
        active_until=_moment(known.get("active_until")),
        muted_until=_moment(known.get("muted_until")),
        is_turned_away=known.get("is_turned_away") is True,
    )


def generation_in(document: Document) -> int:
    """Return a chat's generation; for a malformed one a number that no task was named with."""
    generation = document.get("generation", 0)
    is_number = isinstance(generation, int) and not isinstance(generation, bool) and 0 <= generation < 2**53
    return generation if is_number else int(datetime.now(UTC).timestamp())


def _moment(value: object) -> datetime | None:
    return value if isinstance(value, datetime) else None


def stamp_in(document: Document) -> str:
    """Return the stamp of the commit that wrote a chat's document last."""
    return str(document.get("stamp", ""))


# --- updates


def encode_update(update: InboxUpdate) -> Document:
    """Return an unread update's document: the raw JSON is one string, without index entries or depth."""
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
    """Return the update without malformed fields, so that it does not prevent reading the others of its chat."""
    kind, chat_kind = document.get("kind"), document.get("chat_kind")
    envelope = Envelope(
        update_id=document["update_id"],
        kind=kind if isinstance(kind, str) else "",
        key=key,
        chat_kind=next((one for one in ChatKind if one == chat_kind), ChatKind.NONE),
    )
    try:
        raw = decode_raw(document)
    except (KeyError, TypeError, ValueError, zlib.error):
        raw = None
    at = _moment(document.get("received_at")) or datetime.now(UTC)
    return InboxUpdate(envelope=envelope, raw=raw if isinstance(raw, dict) else {}, received_at=at)


def decode_raw(document: Document) -> Any:
    raw = document["raw"]
    return json.loads(raw if isinstance(raw, str) else zlib.decompress(raw))


def as_read(now: datetime) -> Document:
    """Return the fields of an update that was read; only then may it be deleted."""
    return {"read": True, EXPIRES: now + KEPT_UPDATES}


# --- incidents


def encode_incident(incident: Incident) -> Document:
    """Return an incident's document with its TTL."""
    return asdict(incident) | {EXPIRES: incident.at + KEPT_INCIDENTS}


# --- bots


def names_in(document: Document | None) -> Mapping[str, Document]:
    """Return the stored names of an agent's bots by id; malformed ones are left out, and asked for again."""
    kept = (document or {}).get("names")
    names = kept.items() if isinstance(kept, Mapping) else ()
    read = ((bot, _name_in(name)) for bot, name in names if ID.fullmatch(bot) and isinstance(name, Mapping))
    return {bot: name for bot, name in read if isinstance(name["at"], datetime) and name["username"]}


def _name_in(kept: Mapping[str, Any]) -> Document:
    texts = {name: kept.get(name) for name in ("username", "in_persona")}
    return {name: text if isinstance(text, str) else "" for name, text in texts.items()} | {"at": kept.get("at")}
