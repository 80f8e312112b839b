"""Registration: what Telegram is told of a bot (core.telegram.org/bots/api#setwebhook), and how it gets an owner.

The claim code is derived from the webhook's secret, which nobody but Telegram and whoever deploys the agent is told. So
it is stored nowhere, and another secret makes another code.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

#: the most that Telegram opens; one instance of the webhook takes 80 requests at once, and there may be ten
MAX_CONNECTIONS = 100


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """Where a bot's updates are to go. Telegram never tells the secret again, so it cannot be compared."""

    url: str
    secret: str = field(repr=False)
    #: the kinds of update that are sent there
    allowed_updates: tuple[str, ...]
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


#: what stands before the code in a link's start parameter
LINK_MARK = "claim_"
#: of five bits each. Telegram takes up to 64 in a start parameter, of A-Z a-z 0-9 _ - (core.telegram.org/bots/features)
CODE_CHARACTERS = 20


@dataclass(frozen=True)
class ClaimCode:
    """The code that makes somebody the owner of an agent (`claim_code`); a secret."""

    text: str = field(repr=False)

    def matches(self, written: str) -> bool:
        """Whether somebody wrote the code; how long it takes tells nothing of the code."""
        return hmac.compare_digest(written.strip().lower().encode(errors="replace"), self.text.encode())


def claim_code(secret: str, agent: str, bot_id: int) -> str:
    """The code that makes somebody the owner of an agent; small letters and digits, so that it can be typed too."""
    digest = hmac.digest(secret.encode(), f"claim:{agent}:{bot_id}".encode(), hashlib.sha256)
    return base64.b32encode(digest).decode().lower()[:CODE_CHARACTERS]


def claim_link(username: str, code: str) -> str:
    """What is opened in Telegram to claim an agent (core.telegram.org/bots/features#deep-linking)."""
    return f"https://t.me/{username}?start={LINK_MARK}{code}"
