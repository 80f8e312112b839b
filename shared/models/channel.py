"""The channel's nouns: who a message is for, who the agent is there, and text as Telegram takes it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, kw_only=True)
class Recipient:
    """Where something is sent: Telegram's chat id, and the topic's id (0: no topic, or the General one)."""

    chat_id: int
    topic_id: int = 0


@dataclass(frozen=True)
class Sent:
    """A message that Telegram took: its id, and when, by Telegram's clock, which orders it among people's."""

    message_id: int
    at: datetime


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


class EntityType(StrEnum):
    """The kinds of message entity that markdown makes, under their Bot API names."""

    BOLD = "bold"
    ITALIC = "italic"
    STRIKETHROUGH = "strikethrough"
    CODE = "code"
    PRE = "pre"
    BLOCKQUOTE = "blockquote"
    TEXT_LINK = "text_link"


@dataclass(frozen=True)
class Entity:
    """A stretch of a text that looks or acts differently; `offset` and `length` are in UTF-16 units."""

    type: EntityType
    offset: int
    length: int
    #: of a text_link
    url: str = ""
    #: of a pre
    language: str = ""

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""
        return self.offset + self.length

    def to_telegram(self) -> dict[str, str | int]:
        """It as a MessageEntity of the Bot API."""
        fields: dict[str, str | int] = {"type": self.type.value, "offset": self.offset, "length": self.length}
        if self.url:
            fields["url"] = self.url
        if self.language:
            fields["language"] = self.language
        return fields


@dataclass(frozen=True)
class FormattedText:
    """Plain text and its entities, in the order of their offsets, an outer one before what it holds."""

    text: str
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True)
class Button:
    """A button below a message; `data` comes back when it is pressed (at most 64 bytes)."""

    text: str
    data: str
