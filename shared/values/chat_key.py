"""The key of a chat, and those fields of a chat's document that the webhook reads.

The whole document is in another module (`chat`), since only ticks need it.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final


class Channel(StrEnum):
    """The channels through which people talk with an agent."""

    TELEGRAM = "telegram"
    #: a conversation of the owner in the console
    WEB = "web"


#: Numbers of web conversations: the millisecond at which the page began each, from 2001 to 2286. They are stored as
#: topic ids, which Telegram keeps below 2**31. JavaScript counts exactly up to 2**53
WEB_TOPICS: Final = range(10**12, 10**13)


class ChatKind(StrEnum):
    """Telegram's kinds of chat. `direct`: a person's direct messages to a channel. `none`: no chat (a poll)."""

    PRIVATE = "private"
    GROUP = "group"
    SUPERGROUP = "supergroup"
    CHANNEL = "channel"
    DIRECT = "direct"
    NONE = "none"

    @property
    def is_of_one(self) -> bool:
        """True if only one person writes in chats of this kind. Then every message is meant for the agent."""
        return self in {ChatKind.PRIVATE, ChatKind.DIRECT}


@dataclass(frozen=True, kw_only=True)
class ChatKey:
    """The key of a chat: the agent, Telegram's chat id (0: no chat), and the topic's id (0: none, or General).

    The id of a topic of a channel's direct messages is below 0: Telegram's id of the topic, negated. A web conversation
    is a topic of its person's private chat, with a number that Telegram never uses (`WEB_TOPICS`). So a web
    conversation shares the memories and the visibility of that private chat, and is exported and deleted with it.
    """

    agent: str
    chat_id: int
    topic_id: int = 0

    @property
    def id(self) -> str:
        """The id of the chat's document. It begins with a hash, so that neighbouring ids spread over Firestore."""
        name = f"{self.agent}.{self.chat_id}.{self.topic_id}"
        return f"{hashlib.sha256(name.encode()).hexdigest()[:8]}.{name}"

    @property
    def channel(self) -> Channel:
        """The channel of the chat: Telegram or the console."""
        return Channel.WEB if self.topic_id in WEB_TOPICS else Channel.TELEGRAM

    @property
    def is_private(self) -> bool:
        """True if it is a private chat.

        Telegram's ids are above 0 for people and below 0 for groups, so the id alone decides this.
        """
        return self.chat_id > 0

    @property
    def is_direct(self) -> bool:
        """True if it is a topic of a channel's direct messages: one person and the channel."""
        return self.topic_id < 0

    @property
    def is_of_one(self) -> bool:
        """True if only one person writes in the chat."""
        return self.is_private or self.is_direct

    @property
    def is_group(self) -> bool:
        """True if several people may write in the chat; False if there is no chat."""
        return self.chat_id < 0 and not self.is_direct

    @property
    def group(self) -> "ChatKey":
        """The key of the group without its topic; for a topic of direct messages, the key itself."""
        return self if self.is_direct else ChatKey(agent=self.agent, chat_id=self.chat_id)

    @classmethod
    def from_id(cls, document_id: str) -> "ChatKey":
        """Return the key whose `id` is `document_id`. The agent's name in it may contain dots.

        Raises ValueError if `document_id` does not have the form of `ChatKey.id`.
        """
        agent, chat_id, topic_id = document_id.partition(".")[2].rsplit(".", 2)
        key = cls(agent=agent, chat_id=int(chat_id), topic_id=int(topic_id))
        if key.id != document_id:
            raise ValueError(f"invalid chat id {document_id!r}; expected the form of ChatKey.id")
        return key


@dataclass(frozen=True, kw_only=True)
class ChatStatus:
    """Those fields of a chat's document that the webhook reads."""

    generation: int = 0
    held_until: datetime | None = None
    active_until: datetime | None = None
    muted_until: datetime | None = None
    #: whether the access rules turn away everybody in the chat
    is_turned_away: bool = False

    def is_muted(self, now: datetime) -> bool:
        """Return whether the agent is muted in the chat. A muted agent answers nobody."""
        return self.muted_until is not None and self.muted_until > now

    def is_active(self, now: datetime) -> bool:
        """Return whether the agent still counts as a participant of the talk. It does for a while after each answer."""
        return self.active_until is not None and self.active_until > now

    def is_held(self, now: datetime) -> bool:
        """Return whether a tick holds the chat, that is, has a lease that is still valid."""
        return self.held_until is not None and self.held_until > now
