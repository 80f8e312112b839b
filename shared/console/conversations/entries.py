"""A transcript as the console shows it: messages with their decisions, edits, reactions and files, and other events."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError

from shared.console.conversations.store import StoredPage
from shared.values.decision import Decision
from shared.values.media import Description, MediaRef
from shared.values.message import (
    TITLED,
    AnyEntry,
    Author,
    ButtonPress,
    Edit,
    Event,
    MediaDescribed,
    Message,
    Reaction,
    calls_of,
)
from shared.values.notes import NotedEvent
from shared.values.prompt import CompressionSummary
from shared.values.usage import cost_of

Item = dict[str, Any]
_ENTRY: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)


@dataclass(frozen=True, kw_only=True)
class EntrySpan:
    """A part of a transcript: the numbers of its first and last entry, and whether it is the newest part."""

    first: int
    last: int
    is_newest: bool


def items_of(pages: Sequence[StoredPage], unpaged: Sequence[AnyEntry] = ()) -> list[Item]:
    """Return the items of these pages in order, followed by the items of entries that are in no page yet.

    An edit, a reaction or a description is added to its message if the message is on these pages; otherwise it becomes
    a separate item. An entry that cannot be read becomes an item of type `unreadable`.
    """
    shown = _Items()
    for page in pages:
        for stored in page.entries:
            try:
                shown.add(_ENTRY.validate_python(stored))
            except ValidationError:
                shown.add_unreadable(stored, page.first)
    for entry in unpaged:
        shown.add(entry)
    return shown.items


@dataclass
class _Items:
    items: list[Item] = field(default_factory=list)
    _messages: dict[int, Item] = field(default_factory=dict)

    def add(self, entry: AnyEntry) -> None:
        match entry:
            case Message():
                item = message_item(entry)
                self._messages[entry.message_id] = item
                self.items.append(item)
            case Edit() if entry.message_id in self._messages:
                apply_edit(self._messages[entry.message_id], entry)
            case Reaction() if entry.message_id in self._messages:
                apply_reaction(self._messages[entry.message_id], entry)
            case MediaDescribed() if any(one in self._messages for one in entry.message_ids):
                for one in entry.message_ids:
                    apply_description(self._messages.get(one), entry)
            case _:
                self.items.append(other_item(entry))

    def add_unreadable(self, stored: object, first: int) -> None:
        seq = stored.get("seq") if isinstance(stored, Mapping) else None
        self.items.append({"type": "unreadable", "seq": seq if isinstance(seq, int) else first, "at": ""})


def message_item(message: Message) -> Item:
    """Return a message as an item of the transcript."""
    reply = message.reply
    return {
        "type": "message",
        "seq": message.seq,
        "at": message.at.isoformat(),
        "id": message.message_id,
        "by": author_of(message.author),
        "text": message.text,
        "entities": [one.to_telegram() for one in message.entities],
        "media": message.media,
        "files": [file_of(one) for one in message.media_refs],
        "reply": {
            "id": reply.message_id,
            "by": reply.author.name if reply.author is not None else "",
            "text": reply.excerpt or reply.media,
        }
        if reply is not None
        else None,
        "forwarded_from": message.forwarded_from.name if message.is_of_others_words and message.forwarded_from else "",
        "role": _role(message),
        "turn": message.turn,
        "plan": message.plan,
        "decision": decision_of(message.decision),
        "usage": usage_of(message),
        "looked_up": list(message.looked_up),
        "choices": list(message.choices),
        "later": [{"seconds": one.seconds, "text": one.text} for one in message.later],
        "holds_outside": message.holds_outside or message.is_of_others_words,
        "edits": [],
        "reactions": [],
    }


def _role(message: Message) -> str:
    """Return a message's role: `service`, `reminder`, `command` (a command or its answer), `lull` (another text that no
    model wrote), or `turn` (all others).
    """
    if message.is_service:
        return "service"
    if message.reminder is not None:
        return "reminder"
    if message.is_command:
        return "command"
    return "lull" if message.is_by_lull else "turn"


def author_of(author: Author | None) -> Item | None:
    """Return an author as JSON; None if there is none."""
    if author is None:
        return None
    return {
        "id": author.id,
        "name": author.name,
        "username": author.username,
        "is_agent": author.is_agent,
        "is_bot": author.is_bot,
    }


def file_of(ref: MediaRef) -> Item:
    """Return a file as JSON. Its `id` is the unique id, by which the console finds the bytes in the media bucket."""
    return {
        "kind": ref.kind.value,
        "id": ref.unique_id,
        "mime_type": ref.mime_type,
        "size": ref.size,
        "width": ref.width,
        "height": ref.height,
        "seconds": ref.duration_s,
        "emoji": ref.emoji,
        "words": ref.words,
        "is_spoiler": ref.is_spoiler,
        "description": description_of(ref.description),
    }


def description_of(description: Description | None) -> Item | None:
    """Return the description of a file's content as JSON; None if the file has not been described yet."""
    if description is None:
        return None
    return {
        "outcome": description.outcome.value,
        "shows": description.shows,
        "written": description.written or "",
        "says": description.says,
        "why": description.why,
        "source": description.source,
    }


def decision_of(decision: Decision | None) -> Item | None:
    """Return a decision as JSON; None if there is none. `reason` is one of lull's fixed English phrases."""
    if decision is None:
        return None
    recall = decision.recall
    return {
        "respond": decision.respond,
        "tier": decision.tier.value,
        "reason": decision.reason,
        "ms": decision.ms,
        "until": decision.until.isoformat() if decision.until is not None else "",
        "recalled": {"found": recall.found, "why": recall.why} if recall is not None and recall.found else None,
    }


def usage_of(entry: AnyEntry) -> Item | None:
    """Return the tokens, milliseconds and US dollars of the model calls recorded with an entry; None without calls.

    `cost` is None if a price is unknown.
    """
    calls = calls_of(entry)
    if not calls:
        return None
    return {
        "models": list(dict.fromkeys(call.model for call in calls)),
        "calls": len(calls),
        "input": sum(call.prompt_tokens for call in calls),
        "cached": sum(call.cached_tokens for call in calls),
        "thoughts": sum(call.thought_tokens for call in calls),
        "output": sum(call.output_tokens for call in calls),
        "searches": sum(call.searches for call in calls),
        "ms": sum(call.ms for call in calls),
        "cost": cost_of(calls, entry.at),
        "problems": list(dict.fromkeys(call.problem for call in calls if call.problem)),
    }


def apply_edit(item: Item, edit: Edit) -> None:
    """Give a message the text of an edit. The previous text is added to the message's `edits`."""
    item["edits"].append({"at": item.get("edited_at") or item["at"], "text": item["text"]})
    item |= {
        "text": edit.text,
        "entities": [one.to_telegram() for one in edit.entities],
        "edited_at": edit.at.isoformat(),
    }
    if edit.media_refs:
        item |= {"files": [file_of(one) for one in edit.media_refs], "media": edit.media}
    if edit.decision is not None:
        item["decision_after_edit"] = decision_of(edit.decision)


def apply_reaction(item: Item, reaction: Reaction) -> None:
    """Replace a person's reactions to a message."""
    by = author_of(reaction.author)
    others = [one for one in item["reactions"] if one["by"] is None or by is None or one["by"]["id"] != by["id"]]
    item["reactions"] = [*others, *({"by": by, "emoji": emoji} for emoji in reaction.emojis)]


def apply_description(item: Item | None, described: MediaDescribed) -> None:
    """Add a file's description to a message that came with the file."""
    for one in item["files"] if item is not None else ():
        if one["id"] == described.unique_id:
            one["description"] = description_of(described.description)
    if item is not None and described.decision is not None:
        item["decision"] = decision_of(described.decision)


def other_item(entry: AnyEntry) -> Item:
    """Return a separate item for an entry that is not a message and changes no message on the pages read."""
    head: Item = {"seq": entry.seq, "at": entry.at.isoformat()}
    match entry:
        case Edit():
            text = {"text": entry.text, "entities": [one.to_telegram() for one in entry.entities]}
            decision = decision_of(entry.decision)
            return {
                "type": "edit",
                **head,
                "id": entry.message_id,
                "by": author_of(entry.author),
                **text,
                "decision": decision,
            }
        case Reaction():
            emojis = {"emojis": list(entry.emojis)}
            return {"type": "reaction", **head, "id": entry.message_id, "by": author_of(entry.author), **emojis}
        case ButtonPress():
            return {"type": "press", **head, "id": entry.message_id, "by": author_of(entry.author)}
        case MediaDescribed():
            told = {"ids": list(entry.message_ids), "kind": entry.kind.value, "file": entry.unique_id}
            decision = decision_of(entry.decision)
            return {
                "type": "described",
                **head,
                **told,
                "description": description_of(entry.description),
                "decision": decision,
            }
        case Event() if entry.kind == TITLED:
            return {"type": "titled", **head, "title": entry.title}
        case Event():
            return {"type": "event", **head, "kind": entry.kind, "note": entry.note}
        case _:
            return {"type": "event", **head, "kind": entry.type, "note": ""}


def with_made(
    items: Sequence[Item], span: EntrySpan, history: Iterable[NotedEvent], compressions: Iterable[CompressionSummary]
) -> list[Item]:
    """Return the items with the titles, abbreviations and summaries that lull made, inserted by time or entry number.

    Titles and abbreviations from before the first item are left out: they belong to an earlier part of the transcript.
    """
    shown = list(items)
    times = [datetime.fromisoformat(one["at"]) for one in shown if one["at"]]
    for event in sorted(history, key=lambda one: one.at):
        if times and event.at >= times[0] and (span.is_newest or event.at <= times[-1]):
            told = {"title": event.title, "topics": list(event.topics), "abbreviation": event.abbreviation}
            place = next((n for n, one in enumerate(shown) if is_after(one, event.at)), len(shown))
            shown.insert(place, {"type": "noted", "seq": 0, "at": event.at.isoformat(), **told})
    for summary in compressions:
        if span.first <= summary.up_to_seq <= span.last:
            place = next((n for n, one in enumerate(shown) if one["seq"] > summary.up_to_seq), len(shown))
            made = {"at": summary.made_at.isoformat(), "summary": summary.text, "through": summary.up_to_seq}
            shown.insert(place, {"type": "compressed", "seq": 0, **made})
    return shown


def is_after(item: Item, moment: datetime) -> bool:
    """Return whether an item happened after `moment`; False if the item has no time."""
    return bool(item["at"]) and datetime.fromisoformat(item["at"]) > moment
