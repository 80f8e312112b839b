"""A message: one utterance by a person or by the agent; and the other entries of a transcript."""

import hashlib
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator, TypeAdapter, model_validator

from shared.base.model_call import ModelCall
from shared.base.text import Entity, entities_from
from shared.values.decision import Decision
from shared.values.media import Description, MediaKind, MediaRef, with_media_refs
from shared.values.origin import ConversationSpan

#: no id of Telegram's has more bits than these
ID_BITS: Final = 53


class Author(BaseModel):
    """Who wrote: a person, a bot, or a channel that speaks in its own name."""

    model_config = ConfigDict(frozen=True)

    id: int
    name: str
    username: str = ""
    is_bot: bool = False
    #: the agent itself
    is_agent: bool = False

    @property
    def name_id(self) -> int:
        """A number that is the same for the same whole name, below all ids: who hides their account has no other."""
        digest = hashlib.sha256(" ".join(self.name.casefold().split()).encode()).digest()
        return -(1 << ID_BITS) - 1 - int.from_bytes(digest[:7])

    @property
    def known_id(self) -> int:
        """Their id; of one who hides their account the number of their name."""
        return self.id or self.name_id


def _stored(entities: tuple[Entity, ...]) -> tuple[dict[str, Any], ...]:
    return tuple(entity.to_telegram() for entity in entities)


#: stored as MessageEntity objects of the Bot API; an odd one costs at most itself
Entities: TypeAlias = Annotated[tuple[Entity, ...], PlainValidator(entities_from), PlainSerializer(_stored)]


#: as much of a message as a reader needs to know it again
EXCERPT_CHARACTERS = 200
#: as much as is kept of what a message replies to
QUOTE_CHARACTERS = 4_000


class QuotedMessage(BaseModel):
    """What a message replies to, with as much of it as there was."""

    model_config = ConfigDict(frozen=True)

    #: 0: what is quoted stands in another chat, or is a story
    message_id: int
    author: Author | None = None
    #: whose words the author had forwarded
    forwarded_from: Author | None = None
    #: the part of it that the author marked; without one all of it
    excerpt: str = ""
    #: all of it, where the excerpt is a part
    around: str = ""
    #: of all of it
    entities: Entities = ()
    is_cut: bool = False  #: whether it is longer than what is kept of it
    #: plain words for what came with its text: "a photo"
    media: str = ""
    #: whether what is quoted names a file or the like, or was made by a bot
    holds_outside: bool = False
    is_unmarked: bool = False  #: of the agent's own: whether it is known that nothing from outside led to it
    #: its files, for when the message itself is not known any more
    media_refs: tuple[MediaRef, ...] = ()

    @property
    def whole(self) -> str:
        """All of it that is kept."""
        return self.around or self.excerpt

    @property
    def words(self) -> tuple[str, ...]:
        """All texts that it has of it."""
        return tuple(filter(None, (self.excerpt, self.around, self.media)))


class TranscriptEntry(BaseModel):
    """One line of a transcript; transcripts are only ever appended to."""

    model_config = ConfigDict(frozen=True)

    seq: int = 0  #: place in the transcript, from 1; 0 until it is stored
    at: datetime  #: when it happened, as Telegram says
    #: the updates that it came from; none for what the agent did
    updates: tuple[int, ...] = ()
    #: whether it carries words from outside, besides those that it forwards or quotes: of a file's name, say, or of
    #: what the agent wrote after it had seen such words
    holds_outside: bool = False


class PlannedMessage(BaseModel):
    """What a plan held when a message of it left: something to be said, and how long after what came before it."""

    model_config = ConfigDict(frozen=True)

    seconds: int
    #: the beginning of it
    text: str


class DueReminder(BaseModel):
    """Which reminder came to be due, and when it was to be."""

    model_config = ConfigDict(frozen=True)

    id: str
    due_at: datetime


class Message(TranscriptEntry):
    """An utterance. `text` is what was written, or the caption; `media` names what came with it."""

    type: Literal["message"] = "message"
    message_id: int
    author: Author
    text: str = ""
    entities: Entities = ()
    #: plain words for what is not text: "a photo", "a sticker: 😂"
    media: str = ""
    #: the files that came with it
    media_refs: tuple[MediaRef, ...] = ()
    album_id: str = ""
    reply: QuotedMessage | None = None
    #: who first wrote what the author forwards; of one who hides their account the id is 0
    forwarded_from: Author | None = None
    #: something that happened rather than was said: "Ann joined the group"
    is_service: bool = False
    #: lull itself brings it up: the author had it scheduled, and its text is what the agent is to do now
    reminder: DueReminder | None = None
    #: a command, or lull's answer to one: neither is a turn of the conversation
    is_command: bool = False
    #: lull's own words in the agent's name, such as a confirmation or an apology: no model wrote them
    is_by_lull: bool = False
    #: of lull's confirmation: the task that it confirms, as JSON, in the words of the model that planned it
    confirms: str = ""
    #: of the agent's own that is no text: the task that it was, as JSON
    task: str = ""
    is_post: bool = False  #: a post of the linked channel's, which Telegram put into its discussion group
    is_worded_elsewhere: bool = False  #: whether its own words are from outside, and not only those in its files
    #: the message that began the thread of replies that it belongs to: of a comment the post; 0: none, or a topic
    thread: int = 0
    decision: Decision | None = None
    #: the plan that sent it, for the agent's own
    plan: str = ""
    #: what people wrote and the answer to it have one number, from 1; 0: it is no utterance, or not stored yet
    turn: int = 0
    #: of a plan's first message: what the model took for it
    calls: tuple[ModelCall, ...] = ()
    #: of the agent's own: the files, by unique id, that alone mark it until it is known whether text stands in them
    unseen: tuple[str, ...] = ()
    #: of the agent's own: what it offered below it, as buttons
    choices: tuple[str, ...] = ()
    #: of what the agent wrote or scheduled for itself: the addresses that people had written, or that a tool had found
    known_links: tuple[str, ...] = ()
    #: of the agent's own: how long its plan waited before it, and what was to be said after the plan's next waits
    waited_s: int = 0
    later: tuple[PlannedMessage, ...] = ()
    #: of a plan's first message: what the model had looked up for the plan, and what it found, in short
    looked_up: tuple[str, ...] = ()
    #: of the agent's own: the messages of other conversations that it may be made of
    elsewhere: tuple[ConversationSpan, ...] = ()
    shown_of: tuple[int, ...] = ()  #: the ids of the people and chats whose words of elsewhere its plan was shown

    @model_validator(mode="before")
    @classmethod
    def _with_refs(cls, stored: Any) -> Any:
        return with_media_refs(stored)

    @property
    def is_of_others_words(self) -> bool:
        """Whether somebody else's words are forwarded: what they say, they do not say here."""
        return self.forwarded_from is not None and self.forwarded_from.id != self.author.id

    @property
    def quotable(self) -> int | None:
        """The message to quote in an answer to it; for a press, which Telegram shows to nobody, the one pressed below.

        None: Telegram has neither any more.
        """
        below = self.reply.message_id if self.reply is not None else 0
        return next((one for one in (self.message_id, below) if one > 0), None)

    @property
    def replied_to(self) -> Author | None:
        """Whose message of this chat it replies to; none for what quotes another chat."""
        return self.reply.author if self.reply is not None and self.reply.message_id else None


class Edit(TranscriptEntry):
    """A message's new text; the older versions stay in the transcript above it."""

    type: Literal["edit"] = "edit"
    message_id: int
    author: Author
    text: str = ""
    entities: Entities = ()
    #: what comes with the message now; empty: only text, or what came with it before
    media: str = ""
    media_refs: tuple[MediaRef, ...] = ()
    #: of an edit that made the message one to be answered, or of somebody who may have no answer
    decision: Decision | None = None
    #: of the agent's own: the messages of other conversations that it may be made of
    elsewhere: tuple[ConversationSpan, ...] = ()


class Reaction(TranscriptEntry):
    """Someone's reactions to a message, as they are now; empty: taken back."""

    type: Literal["reaction"] = "reaction"
    message_id: int
    author: Author | None = None
    emojis: tuple[str, ...] = ()


class ButtonPress(TranscriptEntry):
    """Somebody pressed a button below a message of the agent's."""

    type: Literal["press"] = "press"
    message_id: int
    author: Author
    #: what names the press while it waits to be answered
    query_id: str
    #: what the button carried
    data: str = ""


class MediaDescribed(TranscriptEntry):
    """It came to be known what a file shows and says, or that it will not be, after its message was read."""

    type: Literal["described"] = "described"
    #: the messages of the chat that it came with, newest last
    message_ids: tuple[int, ...]
    #: the conversations in which it was sent; empty: not known
    conversations: tuple[str, ...] = ()
    kind: MediaKind
    unique_id: str
    description: Description
    #: whether its messages had not been shown to the model before: then it is told with them, else where it stands
    is_with_message: bool = False
    #: on the newest of its messages that waited for it
    decision: Decision | None = None


#: the kind of the event that gives the conversation its title
TITLED = "title_assigned"


class Event(TranscriptEntry):
    """An update of any other kind, kept by its name; the raw update stays in the inbox until its time is over.

    Or something that lull itself did with the conversation.
    """

    type: Literal["event"] = "event"
    kind: str
    note: str = ""
    #: what the conversation is called from then on, if that is what happened
    title: str = ""


AnyEntry: TypeAlias = Annotated[
    Message | Edit | Reaction | ButtonPress | MediaDescribed | Event, Field(discriminator="type")
]

_ENTRIES: TypeAdapter[tuple[AnyEntry, ...]] = TypeAdapter(tuple[AnyEntry, ...])


def _to_text(entries: tuple[AnyEntry, ...]) -> str:
    return _ENTRIES.dump_json(entries).decode() if entries else ""


def _from_text(stored: Any) -> Any:
    return _ENTRIES.validate_json(stored or "[]") if isinstance(stored, str) else _ENTRIES.validate_python(stored)


#: entries within another document: one JSON text, which takes a tenth of the time that as many maps take
EntriesAsText: TypeAlias = Annotated[tuple[AnyEntry, ...], PlainSerializer(_to_text), PlainValidator(_from_text)]
