"""Registration of a bot at Telegram (core.telegram.org/bots/api#setwebhook), and how an agent gets its owner.

The claim code is derived from the webhook's secret, which only Telegram and the person who deploys the agent know. The
code is stored nowhere. If the secret changes, so does the code.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

#: Telegram's maximum. One instance of the webhook handles 80 requests at once, and there may be ten instances.
MAX_CONNECTIONS = 100


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """The webhook to set for a bot.

    Telegram never returns the secret, so the secret cannot be compared with the one that is set.
    """

    url: str
    secret: str = field(repr=False)
    #: kinds of update that Telegram sends
    allowed_updates: tuple[str, ...]
    max_connections: int = MAX_CONNECTIONS


@dataclass(frozen=True, kw_only=True)
class WebhookState:
    """The webhook as Telegram reports it. `url` is empty if none is set. `waiting` counts undelivered updates."""

    url: str
    allowed_updates: frozenset[str] = frozenset()
    max_connections: int = 0
    waiting: int = 0
    last_error_at: datetime | None = None
    last_error: str = ""


class MenuScope(StrEnum):
    """The audiences for which the Bot API can set a menu of commands, by the API's names."""

    EVERYBODY = "default"
    PRIVATE_CHATS = "all_private_chats"
    GROUPS = "all_group_chats"
    ADMINISTRATORS = "all_chat_administrators"


@dataclass(frozen=True, kw_only=True)
class MenuEntry:
    """A command in a menu. `name` has no slash."""

    name: str
    description: str


@dataclass(frozen=True, kw_only=True)
class Menu:
    """The commands for one scope and one language (ISO 639-1; empty for all other languages)."""

    entries: tuple[MenuEntry, ...]
    scope: MenuScope = MenuScope.EVERYBODY
    language: str = ""


#: prefix of the code in a link's start parameter
LINK_MARK = "claim_"
#: Length of the code; each character has five bits. A start parameter may have up to 64 characters of A-Z a-z 0-9 _ -
#: (core.telegram.org/bots/features).
CODE_CHARACTERS = 20


@dataclass(frozen=True)
class ClaimCode:
    """The secret code that makes a person the owner of an agent (`claim_code`)."""

    text: str = field(repr=False)

    def matches(self, written: str) -> bool:
        """Return whether `written` is this code. The comparison takes constant time."""
        return hmac.compare_digest(written.strip().lower().encode(errors="replace"), self.text.encode())


def claim_code(secret: str, agent: str, bot_id: int) -> str:
    """Return the code that makes a person the owner of an agent: lower-case letters and digits, easy to type."""
    digest = hmac.digest(secret.encode(), f"claim:{agent}:{bot_id}".encode(), hashlib.sha256)
    return base64.b32encode(digest).decode().lower()[:CODE_CHARACTERS]


def claim_link(username: str, code: str) -> str:
    """Return the link that claims an agent in Telegram (core.telegram.org/bots/features#deep-linking)."""
    return f"https://t.me/{username}?start={LINK_MARK}{code}"
