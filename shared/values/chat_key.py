"""What names a chat, and what the webhook is to know of one: it imports nothing of what only ticks keep of a chat."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ChatKind(StrEnum):
    """Telegram's kinds of chat; `direct`: one person's direct messages to a channel; `none`: no chat (a poll)."""

    PRIVATE = "private"
    GROUP = "group"
    SUPERGROUP = "supergroup"
    CHANNEL = "channel"
    DIRECT = "direct"
    NONE = "none"

    @property
    def is_of_one(self) -> bool:
        """Whether one person talks there, and everything is said to the agent."""
        return self in {ChatKind.PRIVATE, ChatKind.DIRECT}


@dataclass(frozen=True, kw_only=True)
class ChatKey:
    """What names a chat: the agent, Telegram's chat id (0: no chat), and the topic's id (0: none, or General).

    A topic of a channel's direct messages is below 0: the negated id that Telegram gives it.
    """

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

    @property
    def is_direct(self) -> bool:
        """Whether it is what one person and a channel write to each other: a topic of the channel's direct messages."""
        return self.topic_id < 0

    @property
    def is_of_one(self) -> bool:
        """Whether one person talks there."""
        return self.is_private or self.is_direct

    @property
    def is_group(self) -> bool:
        """Whether several people talk there; where there is no chat, nobody does."""
        return self.chat_id < 0 and not self.is_direct

    @property
    def group(self) -> "ChatKey":
        """The key of what it shares with its other topics; of a topic of direct messages it is that topic alone."""
        return self if self.is_direct else ChatKey(agent=self.agent, chat_id=self.chat_id)

    @classmethod
    def from_id(cls, document_id: str) -> "ChatKey":
        """The key that has this `id`; an agent's name may have dots in it. Raises ValueError for any other text."""
        agent, chat_id, topic_id = document_id.partition(".")[2].rsplit(".", 2)
        key = cls(agent=agent, chat_id=int(chat_id), topic_id=int(topic_id))
        if key.id != document_id:
            raise ValueError(f"{document_id!r} is no chat's id")
        return key


@dataclass(frozen=True, kw_only=True)
class ChatStatus:
    """What the webhook is to know of a chat: a few fields of its document."""

    generation: int = 0
    held_until: datetime | None = None
    active_until: datetime | None = None
    muted_until: datetime | None = None
    #: whether who writes there has no answer
    is_turned_away: bool = False

    def is_muted(self, now: datetime) -> bool:
        """Whether nobody is answered there, whatever is said."""
        return self.muted_until is not None and self.muted_until > now

    def is_active(self, now: datetime) -> bool:
        """Whether the agent counts as taking part in what is being said there."""
        return self.active_until is not None and self.active_until > now

    def is_held(self, now: datetime) -> bool:
        """Whether some tick's lease still runs."""
        return self.held_until is not None and self.held_until > now
