"""JSON Lines back into a transcript. A line that cannot be read costs itself alone."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from shared.archiving.lines import ABBREVIATION, COMPRESSION, TOPICS
from shared.archiving.values import from_json
from shared.errors import TranscriptUnreadable
from shared.models.chat import Chat
from shared.models.message import TITLED, AnyEntry, Described, Edit, Event, Message, Press, Reaction
from shared.models.notes import NotedEvent, history_text
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
_FOR_READERS = frozenset(
    {"type", "role", "event", "content", "timestamp", "turnNumber", "channel", "sender", "usage", "cost"}
)
#: what lull made of the conversation; a title that a person gave has a number, as all entries have
_NOTED = frozenset({TITLED, ABBREVIATION, TOPICS})


def read_transcript(content: bytes, warn: Warn) -> Transcript:
    """The transcript of a file. Raises TranscriptUnreadable when no line says which conversation it is.

    Of two lines with one number the later counts: whoever appends a line means it.
    """
    found = _Found()
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            if not found.take(_fields(line)):
                warn(number, "is of a kind that this version does not know")
        except (ValueError, KeyError, TypeError, RecursionError) as wrong:
            warn(number, f"is corrupt ({type(wrong).__name__})")
    return found.transcript()


@dataclass
class _Found:
    """What the lines of a file say so far."""

    meta: dict[str, Any] = field(default_factory=dict)
    entries: dict[int, AnyEntry] = field(default_factory=dict)
    history: list[NotedEvent] = field(default_factory=list)
    compression: CompressionSummary | None = None

    def take(self, fields: dict[str, Any]) -> bool:
        """Add what a line says; false for a line of a kind that this version does not know."""
        event = fields.get("event")
        if fields["type"] == "meta":
            self.meta = _meta(fields)
        elif event == COMPRESSION and "up_to_seq" in fields:
            self.compression = _compression(fields)
        elif event in _NOTED and "seq" not in fields and "timestamp" in fields:
            self.history.append(_noted(fields))
        elif (entry := _entry(fields)) is not None:
            self.entries[entry.seq] = entry
        else:
            return False
        return True

    def transcript(self) -> Transcript:
        """All of it."""
        if not self.meta:
            raise TranscriptUnreadable("it has no line that says which conversation it is")
        if self.history:
            self.meta["document"] |= {"history": history_text(self.history)}
        entries = tuple(self.entries[seq] for seq in sorted(self.entries))
        return Transcript(entries=entries, compression=self.compression, **self.meta)


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


def _noted(fields: dict[str, Any]) -> NotedEvent:
    told = {name: fields[name] for name in ("title", "topics", "holds_outside") if name in fields}
    return NotedEvent.model_validate(told | {"at": fields["timestamp"], "abbreviation": fields.get("text", "")})


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
