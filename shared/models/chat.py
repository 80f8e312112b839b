"""A chat: one place on the channel, and the document that says who may act for it."""

import hashlib
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class ChatKind(StrEnum):
    """Telegram's kinds of chat, and `none` for updates that belong to no chat (an inline query, a poll)."""

    PRIVATE = "private"
    GROUP = "group"
    SUPERGROUP = "supergroup"
    CHANNEL = "channel"
    NONE = "none"


class ChatKey(BaseModel):
    """What names a chat: the agent, Telegram's chat id (0: no chat), and the topic's id (0: none, or General)."""

    model_config = ConfigDict(frozen=True)

    agent: str
    chat_id: int
    topic_id: int = 0

    @property
    def id(self) -> str:
        """The id of the chat's document: readable, and spread by a hash in front (neighbouring ids make hot spots)."""
        name = f"{self.agent}.{self.chat_id}.{self.topic_id}"
        return f"{hashlib.sha256(name.encode()).hexdigest()[:8]}.{name}"

    @property
    def is_private(self) -> bool:
        """Whether one person talks with the agent there: Telegram counts people upwards from 1, groups below 0.

        Known before anything of the chat was read.
        """
        return self.chat_id > 0

    @classmethod
    def from_id(cls, document_id: str) -> "ChatKey":
        """The key that has this `id`; an agent's name may have dots in it. Raises ValueError for any other text."""
        agent, chat_id, topic_id = document_id.partition(".")[2].rsplit(".", 2)
        key = cls(agent=agent, chat_id=int(chat_id), topic_id=int(topic_id))
        if key.id != document_id:
            raise ValueError(f"{document_id!r} is no chat's id")
        return key


class Lease(BaseModel):
    """The right of one tick to act for a chat until a moment."""

    model_config = ConfigDict(frozen=True)

    owner: str
    until: datetime


class Chat(BaseModel):
    """The chat's document, written by ticks only."""

    model_config = ConfigDict(frozen=True)

    key: ChatKey
    kind: ChatKind = ChatKind.NONE
    title: str = ""
    conversation: str = ""
    #: the number of the newest entry in the transcript; the window is good while it ends there
    seq: int = 0
    #: the number of the last entry that came under another chat id: of a group before it was a supergroup
    moved_seq: int = 0
    #: the number of the conversation's newest turn, and whether the agent has spoken in it
    turn: int = 0
    is_answered: bool = False
    #: whether entries were committed that neither the window nor the conversation's document tells of yet
    is_behind: bool = False
    #: how often it was claimed or given back; a task named for an older generation can't swallow a newer update
    generation: int = 0
    lease: Lease | None = None
    #: when the standing plan wants to go on; none: no plan is standing
    due_at: datetime | None = None
    #: how many ticks in a row claimed the chat and wrote nothing: what they met may be what kills them
    starts: int = 0
    #: the update that last asked to stop; whoever holds the chat looks into the inbox when it changes
    stop: int = 0
    #: the group's new chat id, once it became a supergroup; this document only points there from then on
    moved_to: int = 0
    #: learned from what the model reported of this chat's prompts
    characters_per_token: float = 2.0
    #: until when the agent counts as taking part in what is being said here
    active_until: datetime | None = None

    #: the model that somebody chose for the current conversation; empty: the one that the settings name
    model: str = ""
    #: until when nobody is answered here
    muted_until: datetime | None = None
    #: what a person called the current conversation; empty: nobody did
    conversation_title: str = ""

    def is_muted(self, now: datetime) -> bool:
        """Whether nobody is answered here, whatever is said."""
        return self.muted_until is not None and self.muted_until > now

    def is_active(self, at: datetime) -> bool:
        """Whether the agent counts as taking part in what is being said here."""
        return self.active_until is not None and self.active_until > at

    def is_held(self, now: datetime) -> bool:
        """Whether some tick's lease still runs."""
        return self.lease is not None and self.lease.until > now
