"""The ports of a tick and of the webhook: the chats in Firestore, and the queues of jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # the webhook starts without the models of plans and prompts
    from shared.models.chat import Chat, KeptConversation, Lease
    from shared.models.chat_key import ChatKey, ChatStatus
    from shared.models.incident import Incident
    from shared.models.message import AnyEntry
    from shared.models.prompt import CompressionSummary
    from shared.models.update import InboxUpdate
    from shared.models.wake import Job, Wake
    from shared.records import Record
    from shared.tasks.plan import Plan


class Inbox(Protocol):
    """What the webhook needs of Firestore."""

    async def add(self, update: InboxUpdate) -> bool:
        """Store an update; false when it was there already. Raises StoreUnavailable or StoreRefused."""

    async def status(self, key: ChatKey) -> ChatStatus:
        """What the chat's document says to the webhook; a new chat's when there is none. Raises StoreUnavailable."""

    async def add_incident(self, incident: Incident) -> bool:
        """Keep an incident; false when one of its id was there. Raises StoreUnavailable or StoreRefused."""


class JobQueue(Protocol):
    """Has functions called later."""

    async def enqueue(self, job: Job) -> None:
        """Have a function called; a job of the same name in the last hour is enough.

        Raises QueueUnavailable, or QueueRefused for what can never be enqueued as it is.
        """


class TickQueue:
    """The queue of jobs, for wakes alone."""

    def __init__(self, jobs: JobQueue) -> None:
        """`jobs` takes them."""
        self.jobs = jobs

    async def enqueue(self, wake: Wake) -> None:
        """Have a tick run; a wake of the same name in the last hour is enough. Raises as JobQueue does."""
        await self.jobs.enqueue(wake.job())


@dataclass(frozen=True, kw_only=True)
class ChatSnapshot:
    """A chat's document as it was read or written: with the version that a write of it must still find."""

    chat: Chat
    #: Firestore's update time; none when there is no document yet
    version: object | None


@dataclass(frozen=True, kw_only=True)
class Change:
    """What one commit of a tick writes; all of it or nothing, and only while the lease is this tick's."""

    chat: Chat
    #: what is written beside the chat's document, in this order
    records: tuple[Record, ...] = ()


class ChatStore(Protocol):
    """What a tick needs of Firestore. Everything raises StoreUnavailable when Firestore does not answer.

    What cannot be stored as it is raises StoreRefused.
    """

    async def see(self, key: ChatKey) -> ChatSnapshot:
        """The chat's document."""

    async def newest_update_at(self, key: ChatKey) -> datetime | None:
        """When the newest update of the chat came; none for an empty inbox."""

    async def claim(self, seen: ChatSnapshot, lease: Lease) -> ChatSnapshot:
        """Take the lease and count the generation up, in one compare-and-set. Raises Contended."""

    async def unread(self, key: ChatKey, limit: int) -> Sequence[InboxUpdate]:
        """The oldest unread updates, in the order of their ids."""

    async def unread_count(self, key: ChatKey) -> int:
        """How many updates are unread; one read, however many."""

    async def commit(self, held: ChatSnapshot, change: Change) -> ChatSnapshot:
        """Write a change under the lease; all of it or nothing. Raises LeaseLost or StopAsked."""

    def portions(self, chat: Chat, records: Sequence[Record]) -> Sequence[Sequence[Record]]:
        """Records in portions, in their order, each as many as a commit takes beside what else a tick writes."""

    async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        """The newest entries of the chat's conversation, oldest first; rebuilt from the transcript if it is behind."""

    async def plan(self, key: ChatKey) -> Plan | None:
        """The chat's standing or last plan. Raises PlanUnreadable."""

    async def unread_update(self, key: ChatKey, update_id: int) -> InboxUpdate | None:
        """One update; none if it is not stored, or has been read."""

    async def ask_to_stop(self, key: ChatKey, stop: int) -> None:
        """Mark the chat's document with the update that asks the agent to stop, whoever holds the chat by now.

        Whoever does runs into it with the next commit, which raises StopAsked. Nothing else of the document changes.
        """

    async def tell(self, update: InboxUpdate) -> None:
        """Have a chat read an update of lull's own; it may be repeated. A tick is still to be woken."""

    async def forward(self, update: InboxUpdate, to: ChatKey) -> None:
        """Have another chat read an update of this one: it is stored there, once, and marked as read here."""


@dataclass(frozen=True, kw_only=True)
class CompressionSnapshot:
    """A conversation's summary as it was read, and the version that a write of another must still find."""

    summary: CompressionSummary | None
    version: object

    @property
    def up_to_seq(self) -> int:
        """The number of the last entry that is summarised."""
        return self.summary.up_to_seq if self.summary else 0


class Conversations(Protocol):
    """What is kept of conversations, without their transcripts. Raises StoreUnavailable or StoreRefused."""

    async def page(self, chats: Sequence[str], skipped: int, limit: int) -> Sequence[KeptConversation]:
        """Some conversations of the chats with these ids, those first in which something was said last."""

    async def count(self, chats: Sequence[str]) -> int:
        """How many conversations the chats with these ids have."""

    async def find(self, conversation: str) -> KeptConversation | None:
        """One conversation; none if there is no such."""


@dataclass(frozen=True, kw_only=True)
class OwnerNotice:
    """What an agent's owner is told of. All of one kind and day (UTC) have the same id: the first of them is told."""

    agent: str
    kind: str
    at: datetime

    @property
    def id(self) -> str:
        """The agent, the kind and the day."""
        return f"{self.agent} {self.kind} {self.at:%Y-%m-%d}"
