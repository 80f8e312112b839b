"""Claiming: how somebody shows that an agent is theirs, and what comes of it.

The code is derived from the webhook's secret, which nobody but Telegram and whoever deploys the agent is told. So it is
stored nowhere, and another secret makes another code.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from enum import StrEnum

from shared.models.channel import BotIdentity

#: what stands before the code in a link's start parameter
LINK_MARK = "claim_"
#: of five bits each. Telegram takes up to 64 in a start parameter, of A-Z a-z 0-9 _ - (core.telegram.org/bots/features)
CODE_CHARACTERS = 20


class ClaimOutcome(StrEnum):
    """What came of a claim."""

    IS_OWNER = "is the owner"
    HAS_ANOTHER = "there is another owner"
    WRONG_CODE = "the code is wrong"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A claim's outcome; of the owner's, who the bot is as Telegram says, if it does."""

    outcome: ClaimOutcome
    identity: BotIdentity | None = None


def claim_code(secret: str, agent: str, bot_id: int) -> str:
    """The code that makes somebody the owner of an agent; small letters and digits, so that it can be typed too."""
    digest = hmac.digest(secret.encode(), f"claim:{agent}:{bot_id}".encode(), hashlib.sha256)
    return base64.b32encode(digest).decode().lower()[:CODE_CHARACTERS]


def is_code(written: str, code: str) -> bool:
    """Whether what somebody wrote is the code; how long it takes tells nothing of the code."""
    return hmac.compare_digest(written.strip().lower().encode(errors="replace"), code.encode())


def claim_link(username: str, code: str) -> str:
    """What is opened in Telegram to claim an agent (core.telegram.org/bots/features#deep-linking)."""
    return f"https://t.me/{username}?start={LINK_MARK}{code}"
