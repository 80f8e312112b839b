"""The content of Firestore's documents, and how long they are kept. Their paths are in `paths.py`.

`encode_…` makes a document, and `decode_…` reads one. The webhook imports this module and must start fast. So classes
that only ticks need are imported for type checking alone, and each store module validates its own documents.
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
#: the raw JSON of an emptied update
EMPTY = "{}"
#: how long a read update is kept: Telegram repeats an update for 24 h (tdlib/telegram-bot-api), and lull must recognise
#: it
KEPT_UPDATES = timedelta(days=7)
KEPT_INCIDENTS = timedelta(days=90)
#: the TTL field of documents
EXPIRES = "expires_at"
#: the field by which chats with open offers are found: the time of the newest offer; null if there is none
OFFERED_AT = "offered_at"
#: a document holds 1 MiB; a raw update longer than this is compressed
LONGEST_RAW = 500_000


# --- chats


def encode_chat(chat: Chat, stamp: str = "") -> Document:
    """Return a chat's document. `stamp` names the commit that writes it, so that the commit can be recognised."""
    offered = [one.at for one in chat.talk.keyboards if one.effects_left]
    listed = {OFFERED_AT: max(offered, default=None)}
    return chat.model_dump() | listed | ({"stamp": stamp} if stamp else {})


def decode_status(document: Document | None) -> ChatStatus:
    """Return what the webhook needs to know about a chat. Malformed or missing fields have the values of a new chat."""
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
    """Return a chat's generation (number of claims and releases); if malformed, the Unix time, which is higher."""
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
    """Return an unread update's document. The raw JSON is a string: it needs no index, and may be nested deeply."""
    raw = update.to_json()  # in ASCII, lone surrogates, which Firestore refuses, are escapes
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
    """Return the update without malformed fields, so that a damaged update does not stop the others of its chat."""
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
    """Return the fields that mark an update as read and set the time after which it may be deleted."""
    return {"read": True, EXPIRES: now + KEPT_UPDATES}


def empty_fields() -> Document:
    """Return the fields that empty an update. Its document stays, so that a repetition of the update is recognised."""
    return {"raw": EMPTY, "trace": ""}


# --- incidents


def encode_incident(incident: Incident) -> Document:
    """Return an incident's document with its TTL."""
    return asdict(incident) | {EXPIRES: incident.at + KEPT_INCIDENTS}


# --- bots


def names_in(document: Document | None) -> Mapping[str, Document]:
    """Return the stored names of an agent's bots, by bot id. Malformed ones are missing: the caller asks Telegram."""
    kept = (document or {}).get("names")
    names = kept.items() if isinstance(kept, Mapping) else ()
    read = ((bot, _name_in(name)) for bot, name in names if ID.fullmatch(bot) and isinstance(name, Mapping))
    return {bot: name for bot, name in read if isinstance(name["at"], datetime) and name["username"]}


def _name_in(kept: Mapping[str, Any]) -> Document:
    texts = {name: kept.get(name) for name in ("username", "in_persona")}
    return {name: text if isinstance(text, str) else "" for name, text in texts.items()} | {"at": kept.get("at")}
