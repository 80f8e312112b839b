"""JSON Lines back into a transcript. A line that cannot be read costs itself alone."""

import json
from collections.abc import Callable
from typing import Any

from shared.archiving.lines import COMPRESSION
from shared.archiving.values import from_json
from shared.errors import TranscriptUnreadable
from shared.models.chat import Chat
from shared.models.message import TITLED, AnyEntry, Described, Edit, Event, Message, Press, Reaction
from shared.models.prompt import CompressionSummary
from shared.models.transcript import Transcript

#: told the number of a line (1: the first) and what is wrong with it, in words that are never the line's own
Warn = Callable[[int, str], None]

_KINDS: dict[str, type[Message] | type[Edit] | type[Reaction] | type[Press] | type[Described] | type[Event]] = {
    "service": Message,
    "command": Message,
    "edit": Edit,
    "reaction": Reaction,
    "press": Press,
    "described": Described,
    "update": Event,
    TITLED: Event,
}
#: for readers anywhere; lull has each in a field of its own
_FOR_READERS = frozenset({"type", "role", "event", "content", "timestamp", "turnNumber", "sender", "usage", "cost"})


def read_transcript(content: bytes, warn: Warn) -> Transcript:
    """The transcript of a file. Raises TranscriptUnreadable when no line says which conversation it is.

    Of two lines with one number the later counts: whoever appends a line means it.
    """
    meta: dict[str, Any] = {}
    entries: dict[int, AnyEntry] = {}
    compression: CompressionSummary | None = None
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            fields = _fields(line)
            if fields["type"] == "meta":
                meta = _meta(fields)
            elif fields.get("event") == COMPRESSION and "up_to_seq" in fields:
                compression = _compression(fields)
            elif (entry := _entry(fields)) is not None:
                entries[entry.seq] = entry
            else:
                warn(number, "is of a kind that this version does not know")
        except (ValueError, KeyError, TypeError, RecursionError) as wrong:
            warn(number, f"is corrupt ({type(wrong).__name__})")
    if not meta:
        raise TranscriptUnreadable("it has no line that says which conversation it is")
    return Transcript(entries=tuple(entries[seq] for seq in sorted(entries)), compression=compression, **meta)


def _fields(line: bytes) -> dict[str, Any]:
    fields = json.loads(line.decode())
    if not isinstance(fields, dict):
        raise TypeError("a line is an object")
    return fields


def _meta(fields: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(fields["id"], str) or not fields["id"]:
        raise TypeError("an id is a text")
    document = from_json(fields.get("document", {}))
    if not isinstance(document, dict):
        raise TypeError("a document is an object")
    chat = Chat.model_validate(fields["chat"]) if fields.get("chat") else None
    return {"conversation": fields["id"], "document": document, "chat": chat}


def _compression(fields: dict[str, Any]) -> CompressionSummary:
    told = {"up_to_seq": fields["up_to_seq"], "text": fields["summary"], "made_at": fields["timestamp"]}
    return CompressionSummary.model_validate(told | {"holds_outside": bool(fields.get("holds_outside"))})


def _entry(fields: dict[str, Any]) -> AnyEntry | None:
    """A turn's or an event's entry; none for an event that is not one of lull's."""
    kind = Message if fields["type"] == "turn" else _KINDS.get(str(fields.get("event")))
    if fields["type"] not in {"turn", "event"} or kind is None or (kind is Event and "seq" not in fields):
        return None
    own = {name: value for name, value in fields.items() if name not in _FOR_READERS}
    if "turnNumber" in fields:
        own["turn"] = fields["turnNumber"]
    if "content" in fields:
        own["text"] = fields["content"]
    entry = kind.model_validate({**own, "at": fields["timestamp"]})
    if entry.seq < 1:
        raise ValueError("an entry has a number")
    return entry
