"""Data types for sending through Telegram or the console: recipients, sent messages, activities and buttons."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from shared.values.chat_key import WEB_TOPICS, Channel

#: how long a bot's username is used before Telegram is asked again
NAME_KEPT = timedelta(hours=6)


class Activity(StrEnum):
    """Activities that Telegram can show for a bot, such as typing (core.telegram.org/bots/api#sendchataction)."""

    TYPING = "typing"
    RECORDING = "record_voice"
    SENDING_PHOTO = "upload_photo"


@dataclass(frozen=True, kw_only=True)
class Recipient:
    """The place to send to: Telegram's chat id, and the topic's id (0 for none or the General topic).

    Ids of topics in a channel's direct messages are below 0. Ids of web conversations are in `WEB_TOPICS`.
    """

    chat_id: int
    topic_id: int = 0
    #: a name for what is sent: a channel that recognises repeats sends it only once. "" if a repeat needs no check
    delivery: str = field(default="", compare=False)

    @property
    def flood_chat(self) -> int:
        """The chat id to which Telegram's flood limits apply; 0 if the channel has no such limits."""
        return self.chat_id if self.channel is Channel.TELEGRAM else 0

    @property
    def channel(self) -> Channel:
        """The channel through which the recipient is reached."""
        return Channel.WEB if self.topic_id in WEB_TOPICS else Channel.TELEGRAM

    @property
    def topic(self) -> dict[str, Any]:
        """Return the Bot API's parameter for the topic, or {} if there is none."""
        if self.topic_id < 0:
            return {"direct_messages_topic_id": -self.topic_id}
        return {"message_thread_id": self.topic_id} if self.topic_id else {}

    @property
    def without_topic(self) -> "Recipient":
        return Recipient(chat_id=self.chat_id, delivery=self.delivery)


@dataclass(frozen=True)
class SentMessage:
    """A message that the channel accepted: its id, and its time by the channel's clock, which orders messages."""

    message_id: int
    at: datetime
    #: its file: the id by which this bot can send it again, and the id that is the same for every bot
    file_id: str = ""
    unique_id: str = ""


@dataclass(frozen=True, kw_only=True)
class BotIdentity:
    """The identity of an agent's bot, from Telegram's getMe."""

    id: int
    #: without the @
    username: str
    first_name: str
    #: False while Telegram's privacy mode shows the bot only those messages of a group that concern it
    can_read_all_group_messages: bool
    #: whether people may add the bot to groups
    can_join_groups: bool


@dataclass(frozen=True, kw_only=True)
class BotName:
    """A bot's username from Telegram, without the @, and when it was read."""

    bot_id: int
    username: str
    at: datetime
    #: the username in the persona's file at that time; if it changes, Telegram is asked again
    in_persona: str = ""

    def is_current(self, now: datetime, in_persona: str) -> bool:
        """Return whether the name is recent, and the username in the persona's file (`in_persona`) is unchanged."""
        return now - self.at < NAME_KEPT and self.in_persona == in_persona


@dataclass(frozen=True)
class Button:
    """A button below a message; pressing it sends `data` back (at most 64 bytes), or opens an address as a Mini App."""

    text: str
    data: str
    opens: str = ""
