"""The history that a transcript contains: messages in their latest form, with reactions, and events between them.

Besides the agent's messages, it includes tasks that lull confirmed to people, messages by lull itself, and waits.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from shared.base.text import fit_line
from shared.planning.prompt.escaping import clean_name, excerpt_of, in_brackets, to_markdown, without_control_tokens
from shared.planning.prompt.media import album_text, late_description, media_text
from shared.planning.prompt.origins import SHOWN_BY_FILE, outside_of_entry, outside_of_quote
from shared.tasks.registry import stored_task
from shared.tasks.task import Task
from shared.tasks.wait import LONGEST_WAIT_SECONDS
from shared.values.described import descriptions_in, refs_after, spoken_text, textless_files, with_descriptions
from shared.values.evolve import evolve
from shared.values.media import DescriptionOutcome
from shared.values.message import AnyEntry, Edit, Event, MediaDescribed, Message, Reaction

#: the maximum characters of a message's beginning that is quoted to identify the message
ABOUT_CHARACTERS = 60
#: the maximum characters that are quoted of the agent's edited text
OWN_TEXT_CHARACTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryMessage:
    """A message with its latest text, all parts of its album, and the reactions to it."""

    message: Message
    text: str
    media: str
    is_edited: bool
    #: for each reaction, its emoji and the person's name
    reactions: tuple[str, ...]
    #: whether the agent wrote the message
    is_own: bool
    #: seconds that the plan waited since its previous message; 0 if it continued at once
    waited_s: int = 0
    #: whether an earlier message of the plan announced that wait
    is_foreseen: bool = False
    #: the planned task, unless the task was to send this text: a task that lull confirmed, or a sticker, for example
    did: Task | None = None
    #: a phrase of lull's for the part of the message that is from outside; empty if nothing is
    outside: str = ""
    #: the number of the message's entry; 0 if the entry is not stored yet
    seq: int


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """Something that happened, other than a message."""

    seq: int
    note: str
    #: a phrase of lull's for the part of the event that is from outside; empty if nothing is
    outside: str = ""


HistoryItem: TypeAlias = HistoryMessage | HistoryEvent


def history_of(
    entries: Sequence[AnyEntry], after: int = 0, kept: Collection[int] = (), unmarked: int = 0
) -> tuple[HistoryItem, ...]:
    """Return the items of the history in order. A message stands where it was sent; an album, where it began.

    Entries up to number `after` are left out, except for messages whose ids are in `kept`. An older message that has a
    later edit, or a later part of its album, stands at that later entry. If only the edit of a message is known, the
    message stands at the edit. Entries up to number `unmarked` do not count as untrusted text.
    """
    history = _History(entries, after, kept, unmarked)
    return tuple(item for place, entry in enumerate(entries) if (item := history.item_at(place, entry)) is not None)


def first_parts(entries: Sequence[AnyEntry]) -> Mapping[int, int]:
    """Map the message id of each part of an album to the id of the album's first part."""
    heads: dict[str, int] = {}
    parts = [entry for entry in entries if isinstance(entry, Message) and entry.album_id]
    return {part.message_id: heads.setdefault(part.album_id, part.message_id) for part in parts}


@dataclass(slots=True)
class _GatheredMessage:
    """A message with the parts of its album, and the latest edit of each part by message id."""

    parts: list[Message] = field(default_factory=list)
    edits: dict[int, Edit] = field(default_factory=dict)
    #: the index of the entry at which the message stands; None if it is left out
    place: int | None = None
    seq: int = 0


class _History:
    """The entries, grouped by the messages that they belong to."""

    def __init__(self, entries: Sequence[AnyEntry], after: int, kept: Collection[int], unmarked: int) -> None:
        self.after, self.kept, self.unmarked = after, kept, unmarked
        self.brought_by = partial(outside_of_entry, unmarked=unmarked, seen=textless_files(entries))
        self.wholes: dict[int, _GatheredMessage] = {}
        self.albums: dict[str, _GatheredMessage] = {}
        self.told_at: dict[int, _GatheredMessage] = {}
        self.reactions: dict[int, dict[int, Reaction]] = {}
        self.waits = dict(waits_in(entries))
        self.described: dict[int, list[MediaDescribed]] = {}
        #: file and message ids for which the description was already reported as an event
        self.told_files: set[tuple[str, int]] = set()
        self.foreseeing = {e.plan for e in entries if isinstance(e, Message) and e.later}
        for place, entry in enumerate(entries):
            if _is_own_act(entry):
                continue  # it becomes an event of its own, so that the lines above stay the same
            if isinstance(entry, Message | Edit):
                self._place(place, entry, self._whole(entry))
            elif isinstance(entry, Reaction):
                self.reactions.setdefault(entry.message_id, {})[_reacting(entry)] = entry
            elif isinstance(entry, MediaDescribed) and entry.is_with_message:
                for message_id in entry.message_ids:
                    self.described.setdefault(message_id, []).append(entry)

    def _whole(self, entry: Message | Edit) -> _GatheredMessage:
        """Return the message or album to which an entry belongs, with the entry added; a new one for a first entry."""
        if isinstance(entry, Edit):
            whole = self.wholes.setdefault(entry.message_id, _GatheredMessage())
            if not whole.parts:  # the original message is not among the entries
                whole.parts.append(_message_from_edit(entry))
            whole.edits[entry.message_id] = entry
            return whole
        whole = self.albums.setdefault(entry.album_id, _GatheredMessage()) if entry.album_id else _GatheredMessage()
        whole.parts.append(entry)
        self.wholes[entry.message_id] = whole
        return whole

    def _place(self, place: int, entry: Message | Edit, whole: _GatheredMessage) -> None:
        if whole.place is None and (self._is_news(entry.seq) or entry.message_id in self.kept):
            whole.place, whole.seq = place, entry.seq
            self.told_at[place] = whole

    def _is_news(self, seq: int) -> bool:
        """Return whether an entry is included: its number is above `after`, or 0 because it is not stored yet."""
        return not 0 < seq <= self.after

    def item_at(self, place: int, entry: AnyEntry) -> HistoryItem | None:
        """Return the item that stands at an entry; None if the entry only changes another item."""
        if place in self.told_at:
            return self._item_of(self.told_at[place])
        if not self._is_news(entry.seq):
            return None
        if isinstance(entry, Event):
            return HistoryEvent(entry.seq, entry.note, self.brought_by(entry)) if entry.note else None
        if isinstance(entry, MediaDescribed):
            return self._described_later(entry)
        if isinstance(entry, Edit | Reaction) and _is_own_act(entry):
            return HistoryEvent(entry.seq, self._own_act(entry), self._outside_of(entry.message_id, entry))
        return self._reaction_event(entry) if isinstance(entry, Reaction) else None

    def _described_later(self, entry: MediaDescribed) -> HistoryEvent | None:
        """Return an event for a file's description that arrived after the message was shown.

        None if the message is shown with the description, if an earlier event reported it, or if the message no longer
        has the file.
        """
        found = [whole for i in entry.message_ids if (whole := self.wholes.get(i)) is not None]
        wholes = [whole for whole in found if self._may_have(whole, entry.unique_id)]
        if self._is_told_before(entry):
            return None
        if found and (not wholes or (entry.is_with_message and any(whole.place is not None for whole in wholes))):
            return None
        of = wholes[-1] if wholes else None
        who = clean_name(of.parts[0].author.name) if of is not None else ""
        about = f'"{excerpt_of(of.parts[0].text, ABOUT_CHARACTERS)}"' if of is not None and of.parts[0].text else ""
        # without the message, it is unknown whether the words in the file were forwarded
        unknown = SHOWN_BY_FILE if not found and entry.description.says else ""
        marks = map(self._outside_of, entry.message_ids)
        outside = self.brought_by(entry) or next(filter(None, marks), unknown)
        return HistoryEvent(entry.seq, late_description(entry, who, about), outside)

    def _is_told_before(self, entry: MediaDescribed) -> bool:
        """Return whether an earlier entry reported the same description for the same messages."""
        is_news = not (about := {(entry.unique_id, one) for one in entry.message_ids}) or not about <= self.told_files
        if entry.description.outcome is DescriptionOutcome.DESCRIBED:
            self.told_files |= about
        return not is_news

    def _may_have(self, whole: _GatheredMessage, unique_id: str) -> bool:
        """Return whether a message still has a file after its latest edit; True if its files are unknown."""
        names = {ref.unique_id for part in whole.parts for ref in self._as_it_is(part, whole).media_refs}
        return not names or "" in names | {unique_id} or unique_id in names

    def _own_act(self, entry: Edit | Reaction) -> str:
        """Return words for the agent's edit of a message, or for its reaction."""
        about = self._about(entry.message_id)
        if isinstance(entry, Edit):
            text = excerpt_of(entry.text, OWN_TEXT_CHARACTERS)
            return f'you changed {about or "a message of yours"} to "{text}"'
        unknown = f"message {entry.message_id}" if entry.message_id > 0 else "a message"
        return f"you reacted {in_brackets(' '.join(entry.emojis))} to {about or unknown}"

    def _about(self, message_id: int) -> str:
        """Return words that identify a message by its author and beginning; empty if it is not among the entries."""
        whole = self.wholes.get(message_id)
        if whole is None:
            return ""
        message = whole.parts[0]
        whose = "your message" if message.author.is_agent else f"what {clean_name(message.author.name)} wrote:"
        return f'{whose} "{excerpt_of(message.text or message.media, ABOUT_CHARACTERS)}"'

    def _reaction_event(self, reaction: Reaction) -> HistoryEvent | None:
        """Return an event for somebody's latest reaction to a message of the agent, or to a message that is left out.

        Reactions to other messages are shown with those messages.
        """
        whole = self.wholes.get(reaction.message_id)
        is_newest = self.reactions[reaction.message_id][_reacting(reaction)] is reaction
        if whole is None or not reaction.emojis or not is_newest:
            return None
        message = whole.parts[0]
        if not message.author.is_agent and whole.place is not None:
            return None
        about = self._about(reaction.message_id)
        outside = self._outside_of(reaction.message_id)
        return HistoryEvent(reaction.seq, f"reaction {_reaction(reaction)} to {about}", outside)

    def _outside_of(self, message_id: int, *more: AnyEntry) -> str:
        """Return the kind of untrusted text in a message or its descriptions, or in the entries `more`; "" if there is
        none.

        If the message is not among the entries, only `more` counts.
        """
        whole = self.wholes.get(message_id)
        descriptions = self.described.get(message_id, ())
        entries = (*whole.parts, *whole.edits.values(), *descriptions) if whole is not None else ()
        return next(filter(None, map(self.brought_by, (*entries, *more))), "")

    def _outside_in(self, message: Message) -> str:
        """Return the kind of untrusted text in a message, or in the text that it quotes; "" if there is none."""
        own = self._outside_of(message.message_id, message)
        if own or message.reply is None or message.author.is_agent:  # the agent's own replies are shown without a quote
            return own
        whole = self.wholes.get(message.reply.message_id)
        is_lifted = any(0 < e.seq <= self.unmarked for e in (message, *(whole.parts if whole is not None else ())))
        quoted = "" if is_lifted else outside_of_quote(message.reply, message.author, is_known=whole is not None)
        return quoted or self._outside_of(message.reply.message_id)

    def _item_of(self, whole: _GatheredMessage) -> HistoryItem | None:
        parts = [self._as_it_is(part, whole) for part in whole.parts]
        message, written = parts[0], (to_markdown(part.text, part.entities) for part in parts if part.text)
        text = "\n".join(filter(None, (*written, *map(spoken_text, parts))))
        if not text.strip() and not message.media:
            return None
        is_own = message.author.is_agent and not message.is_service
        outside = next(filter(None, map(self._outside_in, parts)), "")
        planned = message.confirms or message.task
        did = confirmed_task(planned) if is_own and planned else None
        if is_own and did is None and (message.is_command or message.is_by_lull):
            # if such a text were shown as the model's own words, it would be a bad example, for instance of confirming
            # something that was never scheduled
            note = BY_COMMAND if message.is_command else BY_LULL
            return HistoryEvent(whole.seq, said_by_lull(note, text), outside)
        return HistoryMessage(
            message=message,
            text=text,
            media=album_text(parts) if len(parts) > 1 else media_text(message),
            is_edited=bool(whole.edits),
            reactions=() if is_own else self._reactions_to(parts),
            is_own=is_own,
            waited_s=self.waits.get(message.message_id, 0) if is_own else 0,
            is_foreseen=bool(message.waited_s) and message.plan in self.foreseeing,
            did=did,
            outside=outside,
            seq=whole.seq,
        )

    def _as_it_is(self, part: Message, whole: _GatheredMessage) -> Message:
        """Return a message after its latest edit, with the descriptions that arrived before the message was shown."""
        now = _as_edited(part, whole.edits.get(part.message_id))
        return with_descriptions(now, descriptions_in(self.described.get(part.message_id, ())))

    def _reactions_to(self, parts: Sequence[Message]) -> tuple[str, ...]:
        newest = [entry for part in parts for entry in self.reactions.get(part.message_id, {}).values()]
        return tuple(_reaction(entry) for entry in newest if entry.emojis)


def _is_own_act(entry: AnyEntry) -> bool:
    """Return whether an entry is the agent's own edit or reaction."""
    return isinstance(entry, Edit | Reaction) and entry.author is not None and entry.author.is_agent


def _message_from_edit(edit: Edit) -> Message:
    """Return a message that stands for an edit whose original message is unknown."""
    fields = edit.model_dump(include={"seq", "at", "message_id", "text", "entities", "media", "media_refs"})
    return Message(author=edit.author, **fields)


def _as_edited(message: Message, edit: Edit | None) -> Message:
    """Return the message after its latest edit. If the edit has no files, the message keeps its files."""
    if edit is None:
        return message
    is_album = bool(message.album_id) and len(message.updates) > 1
    media = message.media if is_album else edit.media or message.media
    return evolve(message, text=edit.text, entities=edit.entities, media=media, media_refs=refs_after(message, edit))


def _reacting(reaction: Reaction) -> int:
    """Return the id of a reaction's author; 0 if unknown."""
    return reaction.author.id if reaction.author else 0


def _reaction(reaction: Reaction) -> str:
    name = clean_name(reaction.author.name) if reaction.author else "someone"
    return f"{in_brackets(' '.join(reaction.emojis))} {name}"


#: the minimum for a wait, in seconds; a shorter pause between two messages of a plan is typing or a model call
LEAST_WAIT_SECONDS = 20
#: the notes on messages that lull wrote without a model, and below, the maximum characters of such a message
BY_COMMAND, BY_LULL = "a command was answered", "it was said for you"
LONGEST_NOTE = 300


def said_by_lull(note: str, text: str) -> str:
    """Return the note on a text that lull sent in the agent's name, on one line. `note`: the reason for sending it."""
    return f"{note}: {fit_line(' '.join(text.split()), LONGEST_NOTE)}"


def confirmed_task(confirmed: str) -> Task | None:
    """Return the task that lull confirmed to people, read from its JSON; None if this version cannot read it."""
    try:
        found = stored_task({"id": "1", "depends_on": (), **json.loads(without_control_tokens(confirmed))})
    except (ValueError, TypeError):
        return None
    return found if isinstance(found, Task) else None


def waits_in(entries: Sequence[AnyEntry]) -> Iterator[tuple[int, int]]:
    """Yield each message of the agent that its plan sent after a wait: the message's id, and the wait in seconds."""
    last: dict[str, Message] = {}
    for entry in entries:
        if isinstance(entry, Message) and entry.plan:
            before = last.get(entry.plan, entry)
            seconds = entry.waited_s or round((entry.at - before.at).total_seconds())
            if seconds >= LEAST_WAIT_SECONDS:
                yield entry.message_id, min(seconds, LONGEST_WAIT_SECONDS)
            last[entry.plan] = entry
