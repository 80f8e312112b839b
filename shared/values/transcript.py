"""A stored conversation, and facts found in its entries."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shared.base.text import abridge, starts_with_command
from shared.values.button_data import person_in
from shared.values.chat import Chat
from shared.values.message import AnyEntry, Author, ButtonPress, Edit, Event, Message, Reaction
from shared.values.origin import ids_in
from shared.values.prompt import CompressionSummary

#: characters of the first words, which replace a title
OPENING_CHARACTERS = 40
#: people in events (`shared/turn/effects.py`); Telegram's ids have at most 52 bits
_NUMBERED: Final = re.compile(r"user_id (-?[0-9]{1,16})\b")


class Vector(tuple[float, ...]):
    """A vector field of a document. Firestore distinguishes it from a list of numbers."""

    __slots__ = ()


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """One conversation: its id, stored document, chat and entries in order."""

    conversation: str
    document: Mapping[str, Any] = field(default_factory=dict)
    #: the chat of the conversation, which may be in another conversation by now; None if the chat moved
    chat: Chat | None = None
    entries: tuple[AnyEntry, ...] = ()
    #: the summary of the conversation's older part; it includes earlier summaries
    compression: CompressionSummary | None = None

    @property
    def seq(self) -> int:
        """The number of the newest entry; 0 if there is none."""
        return max((entry.seq for entry in self.entries), default=0)

    @property
    def turn(self) -> int:
        """The number of the newest turn; 0 if there is none."""
        return max((entry.turn for entry in self.entries if isinstance(entry, Message)), default=0)


@dataclass
class TranscriptScan:
    """Facts collected from a transcript's entries: the participants, all people in them, and the first words."""

    participants: dict[int, Author] = field(default_factory=dict)
    people: set[int] = field(default_factory=set)
    opening: str = ""

    def hear(self, entries: Sequence[AnyEntry]) -> None:
        """Add the facts of the next entries, in the order of the transcript."""
        self.participants |= {one.id: one for one in participants_in(entries)}
        self.people |= people_in(entries)
        self.opening = self.opening or opening_of(entries)


def opening_of(entries: Sequence[AnyEntry]) -> str:
    """Return the beginning of a person's first message; "" if `entries` lacks the first entry of the conversation."""
    if not entries or entries[0].seq != 1:
        return ""
    said = (m for m in entries if isinstance(m, Message) and not (m.is_service or m.author.is_bot))
    texts = (" ".join((m.text or m.media).split()) for m in said if not starts_with_command(m.entities))
    return abridge(next(filter(None, texts), ""), OPENING_CHARACTERS)


def participants_in(entries: Sequence[AnyEntry]) -> tuple[Author, ...]:
    """Return the authors with their latest names, without the agent and deleted people."""
    said = (m for m in entries if isinstance(m, Message) and not m.is_service and m.author.id)
    return tuple({m.author.id: m.author for m in said if not m.author.is_agent}.values())


def people_in(entries: Sequence[AnyEntry]) -> set[int]:
    """Return the ids of all people in the entries: authors, and people quoted, forwarded or mentioned.

    Also included are people and groups of other chats whose words a plan was shown or an answer may use, and ids made
    from the names of forwarded people who hide their account. Deletions find conversations by these ids.
    """
    named = {one.id for entry in entries for one in authors_in(entry) if not one.is_agent and one.id}
    named |= {one.name_id for entry in entries for one in hidden_in(entry)}
    used = {one for entry in entries if isinstance(entry, Message | Edit) for one in ids_in(entry.elsewhere)}
    used |= {one for entry in entries if isinstance(entry, Message) for one in entry.shown_of}
    return named | used | {one for entry in entries for one in _ids_in(entry)}


def _ids_in(entry: AnyEntry) -> Iterator[int]:
    """Yield the ids of people that are inside texts of an entry: a pressed button's data, or an event's note."""
    if isinstance(entry, ButtonPress) and (person := person_in(entry.data)):
        yield person
    if isinstance(entry, Event):
        yield from map(int, _NUMBERED.findall(entry.note))


def authors_in(entry: AnyEntry) -> Iterator[Author]:
    """Yield all authors in an entry; those known only by id have no name."""
    if isinstance(entry, Message | Edit | Reaction | ButtonPress) and entry.author is not None:
        yield entry.author
    if isinstance(entry, Message | Edit):
        yield from (Author(id=one.user_id, name="") for one in entry.entities if one.user_id)
    if isinstance(entry, Message):
        quoted = (entry.reply.author, entry.reply.forwarded_from) if entry.reply is not None else ()
        yield from filter(None, (entry.forwarded_from, *quoted))


def hidden_in(entry: AnyEntry) -> Iterator[Author]:
    """Yield forwarded authors who hide their account: they have a name and no id."""
    if isinstance(entry, Message):
        reply = entry.reply
        quoted = (reply.forwarded_from, None if reply.message_id else reply.author) if reply is not None else ()
        origins = (entry.forwarded_from, *quoted)
        yield from (one for one in origins if one is not None and not one.id and one.name)


@dataclass(frozen=True)
class StoredDocument:
    """A document's path and fields."""

    #: the names of collections and documents in turn: `people/7/memories/lull`
    path: str
    fields: Mapping[str, Any]

    @property
    def collection(self) -> str:
        """The names of the collections on the document's path, such as `people/memories`."""
        return "/".join(self.path.split("/")[::2])
