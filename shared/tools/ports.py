"""What services said about the world, and the port to a search of the web."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from shared.values.chat_key import ChatKey
    from shared.values.prompt import Found


@dataclass(frozen=True, kw_only=True)
class LookedUp:
    """What a service said at some moment: just now, or before, and then it was kept."""

    text: str
    at: datetime

    def age(self, now: datetime) -> timedelta:
        """How long ago that was."""
        return now - self.at


class WebSearch(Protocol):
    """What searches the web."""

    async def search(self, query: str, chat: ChatKey, person: int) -> Found:
        """What was found; nothing is an answer, too. Raises ToolFailed.

        It is counted for the chat, and paid from the person's limits; 0: from nobody's.
        """
