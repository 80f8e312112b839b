"""A transcript as JSON Lines: one `meta` line, a `turn` line for each message of a turn, an `event` line for anything
else.

The first fields of a line have common names, by which other programs can read them (role, content, timestamp,
turnNumber, channel, sender, usage, cost). The other fields are named as in lull's own classes. Fields with default
values are left out.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeGuard

from shared.chat.archive_names import began_at
from shared.chat.document_json import to_json
from shared.values.message import TITLED, AnyEntry, ButtonPress, Edit, Event, MediaDescribed, Message, Reaction
from shared.values.notes import NotedEvent, history_in
from shared.values.prompt import CompressionSummary
from shared.values.transcript import Transcript
from shared.values.usage import cost_of

CHANNEL = "telegram"
#: events whose lines have fields that other programs can read
COMPRESSION, ABBREVIATION, TOPICS = "compression", "abbreviation", "meta_update"
#: version of this format
VERSION = 1
#: fields that are left out, since they matter only to one tick, to an open plan, or to a message whose buttons may
#: still change
NOT_KEPT = frozenset(
    {"lease", "due_at", "starts", "stop", "is_behind", "keyboards", "unpaged", "waits_until", "shown_takeout"}
)


def lines_of(transcript: Transcript) -> Iterator[str]:
    """Yield the lines without line ends. The same transcript always gives the same lines."""
    yield _line(_meta(transcript))
    made = _made_of(transcript)
    for entry in transcript.entries:
        while made and entry.at > made[0][0]:
            yield _line(made.pop(0)[1])
        yield _line(fields_of(entry))
    yield from (_line(fields) for _, fields in made)


def _made_of(transcript: Transcript) -> list[tuple[datetime, dict[str, Any]]]:
    """Return lines for what lull derived from the conversation, such as notes, each with its time; oldest first."""
    made = [(event.at, _notes_event(event)) for event in _history(transcript)]
    if transcript.compression is not None:
        made.append((transcript.compression.made_at, _compression(transcript.compression, transcript.entries)))
    return sorted(made, key=lambda one: one[0])


def _history(transcript: Transcript) -> Sequence[NotedEvent]:
    try:
        return history_in(transcript.document.get("history") or "")
    except ValueError:  # the form is that of a later version of lull
        return ()


def _notes_event(event: NotedEvent) -> dict[str, Any]:
    kind = ABBREVIATION if event.abbreviation else TITLED if event.title else TOPICS
    told = {"text": event.abbreviation, "title": event.title, "topics": list(event.topics)}
    return {
        "type": "event",
        "event": kind,
        **{name: value for name, value in told.items() if value},
        "timestamp": event.model_dump(mode="json", include={"at"})["at"],
        **({"holds_outside": True} if event.holds_outside else {}),
    }


def fields_of(entry: AnyEntry) -> dict[str, Any]:
    """Return the fields of an entry's line: a `turn` line for a message of a turn, else an `event` line."""
    return _turn(entry) if _is_of_turn(entry) else _event(entry)


def _is_of_turn(entry: AnyEntry) -> TypeGuard[Message]:
    """Return whether an entry is a message of a turn. Commands, their answers and service messages are not."""
    return isinstance(entry, Message) and not entry.is_service and not entry.is_command


def content_of(transcript: Transcript) -> bytes:
    """Return the file's content in UTF-8. Each line ends with a line feed."""
    return "".join(f"{line}\n" for line in lines_of(transcript)).encode()


def _line(fields: dict[str, Any]) -> str:
    fields = {name: _in_order(value) for name, value in fields.items()}
    return json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _in_order(value: Any) -> Any:
    """Return the value with the keys of all maps sorted, since Firestore returns them in any order."""
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value)}
    return [_in_order(inner) for inner in value] if isinstance(value, list) else value


def _meta(transcript: Transcript) -> dict[str, Any]:
    began = began_at(transcript.conversation)
    created = began or next((entry.at for entry in transcript.entries), None)
    kept = {key: value for key, value in transcript.document.items() if key != "history" or not _history(transcript)}
    meta: dict[str, Any] = {
        "type": "meta",
        "id": transcript.conversation,
        "channel": CHANNEL,
        "created": created.isoformat() if created else None,
        "participants": _participants(transcript.entries),
        "version": VERSION,
        "document": to_json(dict(sorted(kept.items()))),
    }
    if transcript.chat is not None:
        chat = transcript.chat.model_dump(mode="json", exclude_defaults=True)
        meta["chat"] = {name: value for name, value in chat.items() if name not in NOT_KEPT}
    return meta


def _participants(entries: Iterable[AnyEntry]) -> list[str]:
    """Return the names of the authors in the order of their first messages."""
    authors = (entry.author for entry in entries if isinstance(entry, Message) and not entry.is_service)
    return list(dict.fromkeys(author.name for author in authors))


def _turn(message: Message) -> dict[str, Any]:
    head = {
        "type": "turn",
        "role": "assistant" if message.author.is_agent else "user",
        "content": message.text,
        **_when(message),
        "turnNumber": message.turn,
        "channel": CHANNEL,
        "sender": message.author.name,
    }
    return head | _usage(message) | _own(message, "turn")


def _usage(message: Message) -> dict[str, Any]:
    """Return the number of tokens of a message's model calls, and their cost in dollars if the price is known.

    Returns {} if there were no calls. The first message of a plan has the usage of the plan. A message that was judged
    has the usage of that decision.
    """
    calls = (*message.calls, *(message.decision.calls if message.decision is not None else ()))
    if not calls:
        return {}
    sums = {
        "input": sum(call.prompt_tokens for call in calls),
        "output": sum(call.output_tokens + call.thought_tokens for call in calls),
        "cached": sum(call.cached_tokens for call in calls),
    }
    return {"usage": sums, "cost": cost_of(calls, message.at)}


def _event(entry: AnyEntry) -> dict[str, Any]:
    match entry:
        case Message() if entry.is_command:
            head = {"event": "command", **_when(entry), "content": entry.text}
        case Message():
            head = {"event": "service", **_when(entry), "content": entry.text}
        case Edit():
            head = {"event": "edit", **_when(entry), "content": entry.text}
        case Reaction():
            head = {"event": "reaction", **_when(entry)}
        case ButtonPress():
            head = {"event": "press", **_when(entry)}
        case MediaDescribed():
            head = {"event": "described", **_when(entry)}
        case Event() if entry.kind == TITLED:
            head = {"event": TITLED, "title": entry.title, **_when(entry)}
        case _:
            head = {"event": "update", **_when(entry)}
    return {"type": "event", **head, **_own(entry)}


def _compression(compression: CompressionSummary, entries: Iterable[AnyEntry]) -> dict[str, Any]:
    """Return the line for the summary of a conversation's older part. `compressedThrough` is the last turn in it."""
    turns = (e.turn for e in entries if isinstance(e, Message) and e.seq <= compression.up_to_seq)
    return {
        "type": "event",
        "event": COMPRESSION,
        "compressedThrough": max(turns, default=0),
        "summary": compression.text,
        "timestamp": compression.model_dump(mode="json", include={"made_at"})["made_at"],
        "up_to_seq": compression.up_to_seq,
        **({"holds_outside": True} if compression.holds_outside else {}),
    }


def _when(entry: AnyEntry) -> dict[str, Any]:
    return {"timestamp": entry.model_dump(mode="json", include={"at"})["at"]}


def _own(entry: AnyEntry, *told: str) -> dict[str, Any]:
    """Return the entry's fields in lull's own form, without the fields `told`, which the line has already."""
    return entry.model_dump(mode="json", exclude={"type", "at", "text", *told}, exclude_defaults=True)
