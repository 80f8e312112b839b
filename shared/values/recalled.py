"""What is looked for among what was said before, and what is found."""

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Final

from shared.values.chat_key import ChatKey
from shared.values.origin import ConversationSpan, ShownSpan
from shared.values.segment import SegmentMessage, SegmentNote

#: what of a conversation's title and topics is from outside, where a model made them of such text
TITLED_OUTSIDE: Final = "a title that was made of text from outside, too"
#: results of a search, if nobody says how many; turns of a conversation, if nobody says which
USUAL_RESULTS: Final = 10
USUAL_TURNS: Final = 10


@dataclass(frozen=True, kw_only=True)
class ShownEntries:
    """What of a conversation is shown already: its entries from this number on."""

    conversation: str
    from_seq: int


@dataclass(frozen=True, kw_only=True)
class RecallQuery:
    """What is looked for. Any text is a valid query; the filters narrow what is found."""

    query: str
    now: datetime
    #: in which whoever asks says dates
    zone: tzinfo
    limit: int = USUAL_RESULTS
    #: of the chat, an IETF tag, for a query whose words do not tell; empty: not known
    language: str = ""
    #: in this conversation alone; empty: in all
    conversation: str = ""
    #: what one person said alone: their id, or a part of their name; empty: whoever said it
    person: str = ""
    #: in chats that are called so, by a part of their name; empty: in all
    chat: str = ""
    #: said on these civil days, both included; none: at any time
    since: date | None = None
    until: date | None = None
    #: what needs not be found; none: nothing is shown yet
    shown: ShownEntries | None = None


@dataclass(frozen=True, kw_only=True)
class SourceConversation:
    """The conversation in which something was said, and its chat."""

    conversation: str
    #: what the conversation is called; empty: nothing. And what of that is from outside, in lull's own words
    title: str = ""
    title_outside: str = ""
    #: the id of the chat's document, empty: not known; its place, and what the chat is called
    chat: str = ""
    place: str
    chat_title: str = ""


@dataclass(frozen=True, kw_only=True)
class FoundRange:
    """A part of a conversation: its turns and its entries, by their numbers, both ends included."""

    first_turn: int
    last_turn: int
    first_seq: int
    last_seq: int


@dataclass(frozen=True, kw_only=True)
class RecallHit:
    """Some consecutive messages that were found."""

    source: SourceConversation
    stretch: FoundRange
    #: who wrote them, besides the agent
    people: tuple[int, ...] = ()
    #: the best of the messages, and when it was said
    message_id: int
    at: datetime
    #: the part that matches, with who said it
    snippet: str
    #: what was said there, a line for each message, with who said it, and on which day if they are of several
    text: str = ""
    #: 0 to 1; those of one search can be compared
    score: float
    #: 0 to 1: how well it fits by itself, whatever else there is
    fit: float = 1.0
    topics: tuple[str, ...] = ()
    #: observations about it, the newest first
    notes: tuple[SegmentNote, ...] = ()
    #: what of it is from outside, in lull's own words
    outside: tuple[str, ...] = ()
    #: each message's text with the id of who wrote it; 0: the agent
    said: tuple[tuple[int, str], ...] = ()
    messages: tuple[SegmentMessage, ...] = ()
    #: those of them that `text` does not tell: they are of other days than the asked ones
    left_out: tuple[SegmentMessage, ...] = ()

    @property
    def shown(self) -> ShownSpan:
        """What a plan was shown, if it is shown this."""
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
    """What a search found, best first."""

    found: tuple[RecallHit, ...] = ()
    #: how many there are at least, the found among them
    total: int = 0
    #: documents that it read, an aggregation as one for each thousand entries of an index
    reads: int = 0
    #: why it did not search as well as it can, in lull's own words; empty: it did
    trouble: str = ""


@dataclass(frozen=True, kw_only=True)
class RecalledMessage:
    """A message of a conversation that is fetched."""

    turn: int
    seq: int = 0
    at: datetime
    #: the id of who wrote it
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
    #: how many turns the conversation has
    total: int

    @property
    def shown(self) -> ShownSpan | None:
        """What a plan was shown, if it is shown this; none: nothing."""
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
