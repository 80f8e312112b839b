"""The ports to what is known of people and chats: what they told, and what Telegram said of them not long ago."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.models.chat_key import ChatKey


class People(Protocol):
    """What people told of themselves. Raises StoreUnavailable or StoreRefused."""

    async def pronouns(self, person_id: int) -> str:
        """The pronouns of a person; empty: they told none."""

    async def keep_pronouns(self, person_id: int, pronouns: str, at: datetime) -> None:
        """Keep what a person told; empty forgets it."""


@dataclass(frozen=True, kw_only=True)
class MemberCount:
    """How many are in a chat, by Telegram; none: it did not say. To be asked anew from `fresh_until` on."""

    count: int | None
    fresh_until: datetime


class Entities(Protocol):
    """What Telegram said of chats. Raises StoreUnavailable or StoreRefused."""

    async def member_count(self, key: ChatKey) -> MemberCount | None:
        """What was kept of a chat's members, also if it is not fresh any more."""

    async def keep_member_count(self, key: ChatKey, found: MemberCount) -> None:
        """Keep what Telegram said of a chat's members."""
