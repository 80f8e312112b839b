"""The ports of summaries: what they are made of, where they are kept, and what prompts show of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.models.chat import Chat
    from shared.models.message import AnyEntry
    from shared.models.summary import ChatSummary, Span, SpanConversation


class Summaries(Protocol):
    """What summarising a chat needs of Firestore. Everything raises StoreUnavailable or StoreRefused."""

    async def chat(self, chat: str) -> Chat | None:
        """The chat with this document id; none if there is no such."""

    async def kept(self, chat: str) -> Mapping[Span, ChatSummary]:
        """The last summaries of a chat."""

    async def keep(self, chat: str, span: Span, summary: ChatSummary) -> None:
        """Keep a summary in the place of the last one, which prompts show until `show`."""

    async def shown(self, chat: str) -> Mapping[Span, ChatSummary]:
        """The summaries that prompts show."""

    async def show(self, chat: str, span: Span, summary: ChatSummary) -> None:
        """Have prompts show a summary instead of the last one."""

    async def conversations(self, chats: Sequence[str], since: datetime, limit: int) -> Sequence[SpanConversation]:
        """The conversations of the chats with these ids in which something was said since, the newest first."""

    async def newest_entries(self, conversation: str) -> tuple[AnyEntry, ...]:
        """The newest entries of a conversation, oldest first: those of so many pages."""


class ShownSummaries(Protocol):
    """What prompts show of summaries."""

    async def shown(self, chat: str) -> Mapping[Span, ChatSummary]:
        """The summaries of a chat; one read. Raises StoreUnavailable or StoreRefused."""
