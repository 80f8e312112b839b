"""Entries of a transcript: messages, edits, reactions and others."""

import hashlib
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, PlainSerializer, PlainValidator, TypeAdapter, model_validator

from shared.base.model_call import ModelCall
from shared.base.text import Entity, entities_from
from shared.values.decision import Decision
from shared.values.evolve import FrozenModel
from shared.values.media import Description, MediaKind, MediaRef, with_media_refs
from shared.values.origin import ConversationSpan

#: the most bits of a Telegram id
ID_BITS: Final = 53


class Author(FrozenModel):
    """An author: a person, a bot, or a channel in its own name."""

    id: int
    name: str
    username: str = ""
    is_bot: bool = False
    #: the agent itself
    is_agent: bool = False

    @property
    def name_id(self) -> int:
        """An id derived from the full name, for people who hide their account. It is smaller than any Telegram id."""
        digest = hashlib.sha256(" ".join(self.name.casefold().split()).encode()).digest()
        return -(1 << ID_BITS) - 1 - int.from_bytes(digest[:7])

    @property
    def known_id(self) -> int:
        """The author's id; for people who hide their account, the id derived from their name (`name_id`)."""
        return self.id or self.name_id


def _to_stored(entities: tuple[Entity, ...]) -> tuple[dict[str, Any], ...]:
    return tuple(entity.to_telegram() for entity in entities)


#: stored as MessageEntity objects of the Bot API; malformed ones are dropped
Entities: TypeAlias = Annotated[tuple[Entity, ...], PlainValidator(entities_from), PlainSerializer(_to_stored)]


#: characters of a message that are enough to recognise it
EXCERPT_CHARACTERS = 200
#: the stored length of a quoted message
QUOTE_CHARACTERS = 4_000


class QuotedMessage(FrozenModel):
    """The stored part of the message to which a message replies."""

    #: 0: the quoted message is in another chat, or is a story
    message_id: int
    author: Author | None = None
    #: the original author, if it was forwarded
    forwarded_from: Author | None = None
    #: the part that the author selected, or all of it
    excerpt: str = ""
    #: the whole text, if the excerpt is a part of it
    around: str = ""
    #: entities of the whole text
    entities: Entities = ()
    is_cut: bool = False  #: whether it is longer than the stored text
    #: a description of what came with the quoted message's text: "a photo"
    media: str = ""
    #: whether the quoted message holds a file's name or similar text from outside, or was made by a bot
    holds_outside: bool = False
    is_unmarked: bool = False  #: for a message of the agent: whether it certainly was not made from text from outside
    #: the files of the quoted message, needed when that message is no longer in the window
    media_refs: tuple[MediaRef, ...] = ()

    @property
    def whole(self) -> str:
        """The whole text of the quoted message, as far as it is stored."""
        return self.around or self.excerpt

    @property
    def words(self) -> tuple[str, ...]:
        """All stored texts of the quoted message."""
        return tuple(filter(None, (self.excerpt, self.around, self.media)))


class TranscriptEntry(FrozenModel):
    """One entry of a transcript. New entries are only appended at the end of a transcript."""

    seq: int = 0  #: place in the transcript, from 1; 0 until it is stored
    at: datetime  #: when it happened, by Telegram's clock
    #: the updates that the entry was made from; () for acts of the agent
    updates: tuple[int, ...] = ()
    #: whether the entry contains text from outside besides forwards and quotes, such as a file's name, or text that the
    #: agent wrote after it had seen text from outside
    holds_outside: bool = False


class PlannedMessage(FrozenModel):
    """A message that a plan sends later, as an earlier message records it. `seconds`: the time between the two."""

    seconds: int
    #: the beginning of its text
    text: str


class DueReminder(FrozenModel):
    """A reminder that became due, and when."""

    id: str
    due_at: datetime


class Message(TranscriptEntry):
    """A message by a person, a bot or the agent. `text` is the text or caption; `media` describes what came with it."""

    type: Literal["message"] = "message"
    message_id: int
    author: Author
    text: str = ""
    entities: Entities = ()
    #: a description of what is not text: "a photo", "a sticker: 😂"
    media: str = ""
    #: the files that came with the message
    media_refs: tuple[MediaRef, ...] = ()
    album_id: str = ""
    reply: QuotedMessage | None = None
    #: the original author of a forward; the id is 0 if they hide their account
    forwarded_from: Author | None = None
    #: an event rather than an utterance: "Ann joined the group"
    is_service: bool = False
    #: set if lull made this message because a reminder of the author is due: the text is what the agent is to do now
    reminder: DueReminder | None = None
    #: a command, or lull's answer to a command; neither has a turn
    is_command: bool = False
    #: lull's own text in the agent's name, such as a confirmation or an apology: no model wrote it
    is_by_lull: bool = False
    #: for a confirmation: the confirmed task as the model wrote it, as JSON
    confirms: str = ""
    #: for an act of the agent that is not a text: the act's task as JSON
    task: str = ""
    is_post: bool = False  #: a post of the linked channel, which Telegram copied into the discussion group
    is_worded_elsewhere: bool = False  #: whether the message's own text is from outside, not only text in its files
    #: the first message of its thread of replies; for a comment, the channel's post. 0 if there is no thread, or the
    #: thread is a topic
    thread: int = 0
    decision: Decision | None = None
    #: for a message of the agent: the plan that sent it
    plan: str = ""
    #: the number of its turn, from 1: people's messages and the answer to them are one turn. 0 if it has no turn, or is
    #: not stored yet
    turn: int = 0
    #: for a plan's first message: the model calls that made the plan
    calls: tuple[ModelCall, ...] = ()
    #: for a message of the agent: unique ids of files because of which the message counts as text from outside, until
    #: it is known whether the files hold text
    unseen: tuple[str, ...] = ()
    #: for a message of the agent: the choices on its buttons
    choices: tuple[str, ...] = ()
    #: for a message of the agent: addresses in it that people had written or that a tool had found
    known_links: tuple[str, ...] = ()
    #: for a message of the agent: how many seconds the plan waited before it, and the messages that the plan sends
    #: later
    waited_s: int = 0
    later: tuple[PlannedMessage, ...] = ()
    #: for a plan's first message: short notes on what the model looked up and found
    looked_up: tuple[str, ...] = ()
    #: for a message of the agent: the messages of other conversations from which it may be derived
    elsewhere: tuple[ConversationSpan, ...] = ()
    shown_of: tuple[int, ...] = ()  #: the people and chats of other conversations whose words were shown to the plan

    @model_validator(mode="before")
    @classmethod
    def _with_refs(cls, stored: Any) -> Any:
        return with_media_refs(stored)

    @property
    def is_of_others_words(self) -> bool:
        """True if the message forwards words of somebody other than its author."""
        return self.forwarded_from is not None and self.forwarded_from.id != self.author.id

    @property
    def quotable(self) -> int | None:
        """The id of the message to quote in an answer to this one: its own id. For a button press, which is no message
        at Telegram, it is the id of the message with the button. None if there is no message to quote.
        """
        below = self.reply.message_id if self.reply is not None else 0
        return next((one for one in (self.message_id, below) if one > 0), None)

    @property
    def replied_to(self) -> Author | None:
        """The author of the message to which this one replies; None if there is none or it is in another chat."""
        return self.reply.author if self.reply is not None and self.reply.message_id else None


class Edit(TranscriptEntry):
    """A message's new text. The older versions stay in the transcript."""

    type: Literal["edit"] = "edit"
    message_id: int
    author: Author
    text: str = ""
    entities: Entities = ()
    #: a description of its current media; "": only text, or the same as before
    media: str = ""
    media_refs: tuple[MediaRef, ...] = ()
    #: set if the edit needs an answer, or if its author may not be answered
    decision: Decision | None = None
    #: for a message of the agent: the messages of other conversations from which it may be derived
    elsewhere: tuple[ConversationSpan, ...] = ()


class Reaction(TranscriptEntry):
    """A person's current reactions to a message; () if they were removed."""

    type: Literal["reaction"] = "reaction"
    message_id: int
    author: Author | None = None
    emojis: tuple[str, ...] = ()


class ButtonPress(TranscriptEntry):
    """A press of a button below a message of the agent."""

    type: Literal["press"] = "press"
    message_id: int
    author: Author
    #: the id of Telegram's callback query, needed to answer the press
    query_id: str
    #: what the button carried
    data: str = ""


class MediaDescribed(TranscriptEntry):
    """The description of a file, or the reason why there is none, if it arrived after the file's message was read."""

    type: Literal["described"] = "described"
    #: the messages of the chat that the file came with, newest last
    message_ids: tuple[int, ...]
    #: the conversations in which the file was sent; empty if not known
    conversations: tuple[str, ...] = ()
    kind: MediaKind
    unique_id: str
    description: Description
    #: True if the model had not seen the file's messages yet: prompts then show the description with these messages,
    #: otherwise at this entry's own place
    is_with_message: bool = False
    #: the decision on the newest of the messages that waited for the description
    decision: Decision | None = None


#: the kind of the event that sets the conversation's title
TITLED = "title_assigned"


class Event(TranscriptEntry):
    """An update for which there is no other type of entry, or something that lull did with the conversation.

    The raw update stays in the inbox until it expires.
    """

    type: Literal["event"] = "event"
    kind: str
    note: str = ""
    #: the conversation's new title, if the event sets one
    title: str = ""


AnyEntry: TypeAlias = Annotated[
    Message | Edit | Reaction | ButtonPress | MediaDescribed | Event, Field(discriminator="type")
]

_ENTRIES: TypeAdapter[tuple[AnyEntry, ...]] = TypeAdapter(tuple[AnyEntry, ...])


def calls_of(entry: AnyEntry) -> tuple[ModelCall, ...]:
    """Return the model calls that an entry records: those of an answer's plan, and those of a judge's decision."""
    own = entry.calls if isinstance(entry, Message) else ()
    decision = entry.decision if isinstance(entry, Message | Edit | MediaDescribed) else None
    return (*own, *(decision.calls if decision is not None else ()))


def _to_text(entries: tuple[AnyEntry, ...]) -> str:
    return _ENTRIES.dump_json(entries).decode() if entries else ""


def _from_text(stored: Any) -> Any:
    return _ENTRIES.validate_json(stored or "[]") if isinstance(stored, str) else _ENTRIES.validate_python(stored)


#: entries within another document, stored as one JSON text: this takes a tenth of the time that nested maps take
EntriesAsText: TypeAlias = Annotated[tuple[AnyEntry, ...], PlainSerializer(_to_text), PlainValidator(_from_text)]
