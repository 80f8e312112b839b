"""What a stretch of a transcript tells: messages with all that became of them, and what happened between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from shared.models.message import AnyEntry, Edit, Event, Message, Reaction
from shared.prompting.escaping import bracketed, clean_name

#: as much of the agent's own message as it needs to know it again
EXCERPT_CHARACTERS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message with its latest text, all the parts of an album, and the reactions to it."""

    message: Message
    text: str
    media: str
    is_edited: bool
    #: emoji and a name each
    reactions: tuple[str, ...]
    #: whether these are the agent's own words
    is_own: bool
    #: its number in the transcript; 0: not stored yet
    seq: int


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that nobody said."""

    seq: int
    note: str


Told: TypeAlias = Said | Happened


def told(entries: Sequence[AnyEntry]) -> tuple[Told, ...]:
    """What the entries tell, in their order: a message where it, or its album, begins."""
    stretch = _Stretch(entries)
    return tuple(item for entry in entries if (item := stretch.telling(entry)) is not None)


def album_heads(entries: Sequence[AnyEntry]) -> Mapping[int, int]:
    """For each message of an album, the id under which the album is told."""
    heads: dict[str, int] = {}
    parts = [entry for entry in entries if isinstance(entry, Message) and entry.album_id]
    return {part.message_id: heads.setdefault(part.album_id, part.message_id) for part in parts}


class _Stretch:
    """The entries, looked through once for what belongs to which message."""

    def __init__(self, entries: Sequence[AnyEntry]) -> None:
        self.edits = {entry.message_id: entry.text for entry in entries if isinstance(entry, Edit)}
        self.albums: dict[str, list[Message]] = {}
        self.own: dict[int, str] = {}
        self.reactions: dict[int, dict[int, Reaction]] = {}
        for entry in entries:
            if isinstance(entry, Message):
                if entry.album_id:
                    self.albums.setdefault(entry.album_id, []).append(entry)
                if entry.author.is_agent:
                    self.own[entry.message_id] = entry.text or entry.media
            elif isinstance(entry, Reaction):
                self.reactions.setdefault(entry.message_id, {})[_reacting(entry)] = entry

    def telling(self, entry: AnyEntry) -> Told | None:
        """What is told where an entry stands: nothing, if it only changes what is told elsewhere."""
        if isinstance(entry, Message):
            return self._said(entry)
        if isinstance(entry, Event):
            return Happened(entry.seq, entry.note) if entry.note else None
        if isinstance(entry, Reaction) and entry.emojis and self._is_newest_to_own(entry):
            about = bracketed(self.own[entry.message_id])[:EXCERPT_CHARACTERS]
            return Happened(entry.seq, f'reaction {_reaction(entry)} to your message "{about}"')
        return None

    def _is_newest_to_own(self, reaction: Reaction) -> bool:
        """Whether it is what somebody thinks of a message of the agent's; to people's messages it is shown on them."""
        return reaction.message_id in self.own and self.reactions[reaction.message_id][_reacting(reaction)] is reaction

    def _said(self, message: Message) -> Said | None:
        parts = self.albums[message.album_id] if message.album_id else [message]
        if parts[0] is not message:
            return None
        is_edited = any(part.message_id in self.edits for part in parts)
        text = "\n".join(text for part in parts if (text := self.edits.get(part.message_id, part.text)))
        if not text.strip() and not message.media:
            return None
        is_own = message.author.is_agent and not message.is_service
        return Said(
            message=message,
            text=text,
            media=_album(parts) if len(parts) > 1 else message.media,
            is_edited=is_edited,
            reactions=() if is_own else self._reactions_to(parts),
            is_own=is_own,
            seq=message.seq,
        )

    def _reactions_to(self, parts: Sequence[Message]) -> tuple[str, ...]:
        newest = [entry for part in parts for entry in self.reactions.get(part.message_id, {}).values()]
        return tuple(_reaction(entry) for entry in newest if entry.emojis)


def _album(parts: Sequence[Message]) -> str:
    """The items of an album that came in several batches of updates; each batch is one entry."""
    count = sum(max(1, len(part.updates)) for part in parts)
    return f"an album of {count}: {', '.join(part.media for part in parts)}"


def _reacting(reaction: Reaction) -> int:
    """Whose reaction it is; 0: nobody's who is named."""
    return reaction.author.id if reaction.author else 0


def _reaction(reaction: Reaction) -> str:
    name = clean_name(reaction.author.name) if reaction.author else "someone"
    return f"{bracketed(' '.join(reaction.emojis))} {name}"
