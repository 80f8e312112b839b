"""A transcript as it is archived: everything that is kept of one conversation. And what its entries tell of that."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shared.base.text import abridged, starts_with_command
from shared.values.button_data import person_in
from shared.values.chat import Chat
from shared.values.message import AnyEntry, Author, ButtonPress, Edit, Event, Message, Reaction
from shared.values.origin import ids_in
from shared.values.prompt import CompressionSummary

#: characters of the first words that stand for a title
OPENING_CHARACTERS = 40
#: as events name people (`shared/turn/effects.py`); Telegram's ids have at most 52 bits
_NUMBERED: Final = re.compile(r"user_id (-?[0-9]{1,16})\b")


class Vector(tuple[float, ...]):
    """A document's vector, which is another thing than a list of numbers."""

    __slots__ = ()


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """One conversation: its id, its own document as it is stored, its chat, and its entries in order."""

    conversation: str
    document: Mapping[str, Any] = field(default_factory=dict)
    #: the chat that it belongs to, whichever its current conversation is; none if the chat moved away
    chat: Chat | None = None
    entries: tuple[AnyEntry, ...] = ()
    #: what stands in prompts for its older part; those that it replaced are in it
    compression: CompressionSummary | None = None

    @property
    def seq(self) -> int:
        """The number of the newest entry; 0 of an empty one."""
        return max((entry.seq for entry in self.entries), default=0)

    @property
    def turn(self) -> int:
        """The number of the newest turn; 0 if nobody has said anything."""
        return max((entry.turn for entry in self.entries if isinstance(entry, Message)), default=0)


@dataclass
class TranscriptScan:
    """What entries tell of their conversation, a few heard at a time, oldest first: who took part, who is named."""

    participants: dict[int, Author] = field(default_factory=dict)
    people: set[int] = field(default_factory=set)
    opening: str = ""

    def hear(self, entries: Sequence[AnyEntry]) -> None:
        """Take in the next ones."""
        self.participants |= {one.id: one for one in participants_in(entries)}
        self.people |= people_in(entries)
        self.opening = self.opening or opening_of(entries)


def opening_of(entries: Sequence[AnyEntry]) -> str:
    """The first words that a person said, shortened; empty if the conversation's beginning is not among the entries."""
    if not entries or entries[0].seq != 1:
        return ""
    said = (m for m in entries if isinstance(m, Message) and not (m.is_service or m.author.is_bot))
    texts = (" ".join((m.text or m.media).split()) for m in said if not starts_with_command(m.entities))
    return abridged(next(filter(None, texts), ""), OPENING_CHARACTERS)


def participants_in(entries: Sequence[AnyEntry]) -> tuple[Author, ...]:
    """Who said something, as they were called last; the agent itself is none, nor is who was forgotten."""
    said = (m for m in entries if isinstance(m, Message) and not m.is_service and m.author.id)
    return tuple({m.author.id: m.author for m in said if not m.author.is_agent}.values())


def people_in(entries: Sequence[AnyEntry]) -> set[int]:
    """The ids of everybody of whom the entries tell: who wrote, reacted or pressed, is quoted, forwarded or mentioned.

    And of the people and groups of other chats whose words a plan was shown, or an answer may be made of; of who hid
    their account when they were forwarded, the number of their name. By all of them a conversation is found in which
    somebody is to be forgotten.
    """
    named = {one.id for entry in entries for one in authors_in(entry) if not one.is_agent and one.id}
    named |= {one.name_id for entry in entries for one in hidden_in(entry)}
    used = {one for entry in entries if isinstance(entry, Message | Edit) for one in ids_in(entry.elsewhere)}
    used |= {one for entry in entries if isinstance(entry, Message) for one in entry.shown_of}
    return named | used | {one for entry in entries for one in _ids_in(entry)}


def _ids_in(entry: AnyEntry) -> Iterator[int]:
    """The ids that stand in an entry as a number: of whom a button or something done was about."""
    if isinstance(entry, ButtonPress) and (person := person_in(entry.data)):
        yield person
    if isinstance(entry, Event):
        yield from map(int, _NUMBERED.findall(entry.note))


def authors_in(entry: AnyEntry) -> Iterator[Author]:
    """Yield everybody of whom an entry tells; who is known by their id alone has no name."""
    if isinstance(entry, Message | Edit | Reaction | ButtonPress) and entry.author is not None:
        yield entry.author
    if isinstance(entry, Message | Edit):
        yield from (Author(id=one.user_id, name="") for one in entry.entities if one.user_id)
    if isinstance(entry, Message):
        quoted = (entry.reply.author, entry.reply.forwarded_from) if entry.reply is not None else ()
        yield from filter(None, (entry.forwarded_from, *quoted))


def hidden_in(entry: AnyEntry) -> Iterator[Author]:
    """Yield those whose words an entry passes on, and who hid their account: they have a name and no id."""
    if isinstance(entry, Message):
        reply = entry.reply
        quoted = (reply.forwarded_from, None if reply.message_id else reply.author) if reply is not None else ()
        origins = (entry.forwarded_from, *quoted)
        yield from (one for one in origins if one is not None and not one.id and one.name)


@dataclass(frozen=True)
class StoredDocument:
    """Where a document is, and its fields."""

    #: the names of collections and documents in turn: `people/7/memories/lull`
    path: str
    fields: Mapping[str, Any]

    @property
    def collection(self) -> str:
        """The names of the collections on the way to it: `people/memories`."""
        return "/".join(self.path.split("/")[::2])
