"""The port of whoever looks at what lull did: the local page, a console. It only reads."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.models.chat import Chat
    from shared.models.chat_key import ChatKey
    from shared.models.kept_media import KeptMedia
    from shared.models.message import AnyEntry
    from shared.models.reference import Reference
    from shared.models.update import InboxUpdate
    from shared.tasks.plan import Plan


@dataclass(frozen=True, kw_only=True)
class StoredUpdate:
    """An update in the inbox: whether a tick has read it, and the W3C trace id of the request that brought it."""

    update: InboxUpdate
    is_read: bool
    trace: str


@dataclass(frozen=True, kw_only=True)
class WindowContent:
    """The newest entries of a chat's conversation, as the window holds them, and the number of the last."""

    seq: int = 0
    entries: tuple[AnyEntry, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ConversationHead:
    """What a conversation's own document says: whose it is, what a person called it, and how far it is."""

    conversation: str
    agent: str
    #: id of the chat's document
    chat: str
    chat_title: str
    #: empty: nobody gave it one
    title: str
    #: how many there are
    entries: int
    turns: int
    #: when the last of it was said
    updated_at: datetime | None


class Inspection(Protocol):
    """What is stored of chats, conversations and plans. Everything raises StoreUnavailable, and soon, or StoreRefused.

    Of windows and transcripts, what only a newer lull knows is left out.
    """

    async def keys(self, chat_id: int) -> Sequence[ChatKey]:
        """The chats of all agents and topics under one of Telegram's chat ids."""

    async def chat(self, key: ChatKey) -> Chat | None:
        """The chat's document."""

    async def window(self, key: ChatKey) -> WindowContent:
        """The chat's window; an empty one if there is none."""

    async def update(self, key: ChatKey, update_id: int) -> StoredUpdate | None:
        """One update of a chat."""

    async def newest_updates(self, key: ChatKey, limit: int) -> Sequence[StoredUpdate]:
        """The updates that came last, newest first."""

    async def plan(self, key: ChatKey) -> Plan | None:
        """The chat's standing or last plan. Raises PlanUnreadable."""

    async def past_plan(self, key: ChatKey, plan_id: str) -> Plan | None:
        """A plan that another replaced. Raises PlanUnreadable."""

    async def conversation(self, conversation: str) -> ConversationHead | None:
        """What a conversation's own document says."""

    async def newest_entries(self, conversation: str) -> tuple[AnyEntry, ...]:
        """The end of a conversation's transcript, oldest first: the entries of its last 40 pages."""

    async def kept_media(self, unique_ids: Collection[str]) -> Mapping[str, KeptMedia]:
        """What is kept of those of some files that anything is kept of, by unique id."""

    async def references(self, ids: Collection[str]) -> Mapping[str, Reference]:
        """Those of some references that there are, by id."""
