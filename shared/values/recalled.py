"""Queries and results of the search in past conversations."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Final

from shared.values.chat_key import ChatKey
from shared.values.origin import ConversationSpan, ShownSpan
from shared.values.segment import SegmentMessage, SegmentNote

#: Label for a title and topics that a model derived partly from text from outside.
TITLED_OUTSIDE: Final = "a title that was made of text from outside, too"
#: default number of results of a search, and of turns when a conversation is read
USUAL_RESULTS: Final = 10
USUAL_TURNS: Final = 10


@dataclass(frozen=True, kw_only=True)
class ShownEntries:
    """The entries of a conversation that the prompt already shows: all entries from number `from_seq` on."""

    conversation: str
    from_seq: int


@dataclass(frozen=True, kw_only=True)
class RecallQuery:
    """A search in past conversations. Any text is a valid query; the filters narrow the results."""

    query: str
    now: datetime
    #: time zone of the dates in the query
    zone: tzinfo
    limit: int = USUAL_RESULTS
    #: language of the chat (IETF tag), used if the query's own language cannot be told; empty if not known
    language: str = ""
    #: only this conversation; empty for all
    conversation: str = ""
    #: only messages of this person: their id, or a part of their name; empty for everybody
    person: str = ""
    #: only chats whose name contains this; empty for all
    chat: str = ""
    #: only this channel, by the name of a `Channel`; empty for all
    channel: str = ""
    #: only these days, both included; None for no limit
    since: date | None = None
    until: date | None = None
    #: entries that need not be found; None if nothing is shown yet
    shown: ShownEntries | None = None


@dataclass(frozen=True, kw_only=True)
class SourceConversation:
    """The conversation from which a search result comes, and its chat."""

    conversation: str
    #: title of the conversation, or empty; and the label of text from outside in the title, or empty
    title: str = ""
    title_outside: str = ""
    #: id of the chat's document (empty if not known), the chat's place and the chat's name
    chat: str = ""
    place: str
    chat_title: str = ""


@dataclass(frozen=True, kw_only=True)
class FoundRange:
    """The range of turns and the range of entries that a search result covers, by number, both ends included."""

    first_turn: int
    last_turn: int
    first_seq: int
    last_seq: int


@dataclass(frozen=True, kw_only=True)
class RecallHit:
    """Consecutive messages that match a search."""

    source: SourceConversation
    stretch: FoundRange
    #: ids of the people who wrote the messages
    people: tuple[int, ...] = ()
    #: the best match, and when it was sent
    message_id: int
    at: datetime
    #: the matching text, with its author
    snippet: str
    #: One line for each message, with its author, and with the day if the messages are from several days.
    text: str = ""
    #: 0 to 1; comparable within one search
    score: float
    #: 0 to 1; how well the result matches, independent of other results
    fit: float = 1.0
    topics: tuple[str, ...] = ()
    #: observations about the messages, newest first
    notes: tuple[SegmentNote, ...] = ()
    #: labels of the parts that are text from outside, in lull's words
    outside: tuple[str, ...] = ()
    #: text of each message, after the id of its author (0 for the agent)
    said: tuple[tuple[int, str], ...] = ()
    messages: tuple[SegmentMessage, ...] = ()
    #: messages that `text` omits, since they are not from the days that were asked for
    left_out: tuple[SegmentMessage, ...] = ()

    @property
    def shown(self) -> ShownSpan:
        """The span and texts of these messages, to record what a prompt shows."""
        where = ConversationSpan(
            conversation=self.source.conversation,
            chat_id=ChatKey.from_id(self.source.chat).chat_id,
            first_seq=self.stretch.first_seq,
            last_seq=self.stretch.last_seq,
            people=self.people,
        )
        return ShownSpan(where=where, said=(*self.said, *((0, note.text) for note in self.notes)))


@dataclass(frozen=True, kw_only=True)
class RecallHits:
    """The results of a search, best first."""

    found: tuple[RecallHit, ...] = ()
    #: number of matches, or a lower bound of it
    total: int = 0
    #: Documents read. An aggregation counts as one document for each thousand index entries.
    reads: int = 0
    #: why the search was limited, in lull's words; empty if it was not limited
    trouble: str = ""


@dataclass(frozen=True, kw_only=True)
class RecalledMessage:
    """One message of the turns that were read from a conversation."""

    turn: int
    seq: int = 0
    at: datetime
    #: id of the author
    author: int = 0
    name: str
    is_agent: bool
    text: str
    outside: str = ""


@dataclass(frozen=True, kw_only=True)
class RecalledTurns:
    """Some turns of a conversation, oldest first."""

    source: SourceConversation
    messages: tuple[RecalledMessage, ...]
    #: number of turns in the conversation
    total: int

    @property
    def shown(self) -> ShownSpan | None:
        """The span and texts of these messages, to record what a prompt shows.

        None if there are no messages, or if their chat is unknown.
        """
        if not self.messages or not self.source.chat:
            return None
        said = tuple((0 if one.is_agent else one.author, one.text) for one in self.messages)
        where = ConversationSpan(
            conversation=self.source.conversation,
            chat_id=ChatKey.from_id(self.source.chat).chat_id,
            first_seq=self.messages[0].seq,
            last_seq=self.messages[-1].seq,
            people=tuple(dict.fromkeys(person for person, _ in said if person)),
        )
        return ShownSpan(where=where, said=said)
