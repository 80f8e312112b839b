"""The channel's nouns: who a message is for, who the agent is there, what it is seen doing, and buttons."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

#: after so long Telegram is asked again what a bot's username is
NAME_KEPT = timedelta(hours=6)


class Activity(StrEnum):
    """What people see the agent doing, under the names of the Bot API (core.telegram.org/bots/api#sendchataction)."""

    TYPING = "typing"
    RECORDING = "record_voice"
    SENDING_PHOTO = "upload_photo"


@dataclass(frozen=True, kw_only=True)
class Recipient:
    """Where something is sent: Telegram's chat id, and the topic's id (0: no topic, or the General one).

    A topic below 0 is one of a channel's direct messages.
    """

    chat_id: int
    topic_id: int = 0

    @property
    def topic(self) -> dict[str, Any]:
        """The parameter of the Bot API that names the topic; none if there is no topic."""
        if self.topic_id < 0:
            return {"direct_messages_topic_id": -self.topic_id}
        return {"message_thread_id": self.topic_id} if self.topic_id else {}

    @property
    def without_topic(self) -> "Recipient":
        """The chat as a whole."""
        return Recipient(chat_id=self.chat_id)


@dataclass(frozen=True)
class SentMessage:
    """A message that Telegram took: its id, and when, by Telegram's clock, which orders it among people's."""

    message_id: int
    at: datetime
    #: of the file in it, which this bot may send again by the first id, and every bot knows by the second
    file_id: str = ""
    unique_id: str = ""


@dataclass(frozen=True, kw_only=True)
class BotIdentity:
    """Who an agent's bot is, as Telegram's getMe says."""

    id: int
    #: without the @
    username: str
    first_name: str
    #: false while Telegram's privacy mode keeps a group's other messages from the bot
    can_read_all_group_messages: bool
    #: whether people may add it to groups
    can_join_groups: bool


@dataclass(frozen=True, kw_only=True)
class BotName:
    """The username that Telegram gave for a bot, without the @, and when it did."""

    bot_id: int
    username: str
    at: datetime
    #: the username in the persona's file then: with another one there Telegram is asked again
    in_persona: str = ""

    def is_current(self, now: datetime, in_persona: str) -> bool:
        """Return whether it holds without asking again."""
        return now - self.at < NAME_KEPT and self.in_persona == in_persona


@dataclass(frozen=True)
class Button:
    """A button below a message; `data` comes back when it is pressed (at most 64 bytes)."""

    text: str
    data: str
