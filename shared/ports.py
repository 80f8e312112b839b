"""The ports: what the flows need of the world. Small, and each served by one adapter in `shared/adapters`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # the webhook starts without the models of plans and prompts
    from shared.models.channel import BotIdentity, FormattedText, Recipient
    from shared.models.chat import Chat, ChatKey, Lease
    from shared.models.incident import Incident
    from shared.models.message import AnyEntry
    from shared.models.plan import Plan
    from shared.models.prompt import ModelReply, Prompt
    from shared.models.update import InboxUpdate
    from shared.models.wake import Wake


class Inbox(Protocol):
    """What the webhook needs of Firestore."""

    async def add(self, update: InboxUpdate) -> bool:
        """Store an update; false when it was there already. Raises StoreUnavailable."""

    async def chat(self, key: ChatKey) -> Chat:
        """The chat's document; a new chat's, of generation 0, when there is none. Raises StoreUnavailable."""

    async def add_incident(self, incident: Incident) -> None:
        """Keep an incident; one of the same id is kept once. Raises StoreUnavailable."""


class TickQueue(Protocol):
    """What enqueues ticks."""

    async def enqueue(self, wake: Wake) -> None:
        """Have a tick run; a wake of the same name in the last hour is enough. Raises QueueUnavailable."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A chat's document as it was read or written: with the version that a write of it must still find."""

    chat: Chat
    #: Firestore's update time; none when there is no document yet
    version: object | None


@dataclass(frozen=True, kw_only=True)
class Change:
    """What one commit of a tick writes; all of it or nothing, and only while the lease is this tick's."""

    chat: Chat
    #: update ids to be marked as read
    read: tuple[int, ...] = ()
    #: appended to the transcript, their numbers given already
    entries: tuple[AnyEntry, ...] = ()
    #: what the window holds from now on; none leaves it as it is
    window: tuple[AnyEntry, ...] | None = None
    plan: Plan | None = None
    #: whether the conversation's own document is brought up to date
    conversation: bool = False
    incidents: tuple[Incident, ...] = field(default=())


class ChatStore(Protocol):
    """What a tick needs of Firestore. Everything raises StoreUnavailable when Firestore does not answer."""

    async def see(self, key: ChatKey) -> Seen:
        """The chat's document."""

    async def newest_update_at(self, key: ChatKey) -> datetime | None:
        """When the newest update of the chat came; none for an empty inbox."""

    async def claim(self, seen: Seen, lease: Lease) -> Seen:
        """Take the lease and count the generation up, in one compare-and-set. Raises Contended."""

    async def unread(self, key: ChatKey, limit: int) -> Sequence[InboxUpdate]:
        """The oldest unread updates, in the order of their ids."""

    async def unread_count(self, key: ChatKey) -> int:
        """How many updates are unread; one read, however many."""

    async def commit(self, held: Seen, change: Change) -> Seen:
        """Write a change under the lease. Raises LeaseLost."""

    async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        """The newest entries of the chat's conversation, oldest first; rebuilt from the transcript if it is behind."""

    async def plan(self, key: ChatKey) -> Plan | None:
        """The chat's standing or last plan."""


class Model(Protocol):
    """What plans: one call of a language model."""

    async def generate(self, prompt: Prompt, schema: Mapping[str, object]) -> ModelReply:
        """The reply, held to a JSON schema. Raises ModelUnavailable or ModelRefused."""


class Channel(Protocol):
    """What an agent can do in Telegram. Every call raises a ChannelError."""

    async def identity(self) -> BotIdentity:
        """Who the agent's bot is."""

    async def send_text(self, to: Recipient, part: FormattedText, reply_to: int | None) -> int:
        """Write a message; returns its id."""

    async def react(self, to: Recipient, message_id: int, emoji: str) -> None:
        """Put an emoji on a message."""

    async def typing(self, to: Recipient) -> None:
        """Show that the agent is writing; a failure does no harm and is not told."""
