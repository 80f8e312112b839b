"""Registration: what Telegram is told of a bot, and what it says of that (core.telegram.org/bots/api#setwebhook)."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

#: every kind of update that lull reads; two of them Telegram sends only if asked
ALLOWED_UPDATES = (
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "message_reaction",
    "my_chat_member",
    "chat_member",
)
#: the most that Telegram opens; one instance of the webhook takes 80 requests at once, and there may be ten
MAX_CONNECTIONS = 100


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """Where a bot's updates are to go. Telegram never tells the secret again, so it cannot be compared."""

    url: str
    secret: str = field(repr=False)
    allowed_updates: tuple[str, ...] = ALLOWED_UPDATES
    max_connections: int = MAX_CONNECTIONS


@dataclass(frozen=True, kw_only=True)
class WebhookState:
    """What Telegram says of a bot's webhook; an empty `url` is none. `waiting` counts updates not yet delivered."""

    url: str
    allowed_updates: frozenset[str] = frozenset()
    max_connections: int = 0
    waiting: int = 0
    last_error_at: datetime | None = None
    last_error: str = ""


class MenuScope(StrEnum):
    """Who is shown a menu of commands, under the Bot API's names."""

    EVERYBODY = "default"
    PRIVATE_CHATS = "all_private_chats"
    GROUPS = "all_group_chats"
    ADMINISTRATORS = "all_chat_administrators"


@dataclass(frozen=True, kw_only=True)
class MenuEntry:
    """A command as a menu shows it; the name without the slash."""

    name: str
    description: str


@dataclass(frozen=True, kw_only=True)
class Menu:
    """The commands shown in one scope to people of one language (ISO 639-1; empty: all others)."""

    entries: tuple[MenuEntry, ...]
    scope: MenuScope = MenuScope.EVERYBODY
    language: str = ""


class Registration(BaseModel):
    """The order to register every bot, as Cloud Scheduler sends it: `webhook_url` is the webhook function's address."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    job: Literal["register"]
    webhook_url: str = Field(pattern=r"^https?://[^/?#]+/?$")
