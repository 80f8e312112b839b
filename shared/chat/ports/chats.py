"""Chats as they are read and written, and the queues of jobs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # the webhook starts without the models of plans and prompts
    from shared.chat.store.writes import Record
    from shared.values.chat import Chat
    from shared.values.chat_key import ChatKey, ChatStatus
    from shared.values.incident import Incident
    from shared.values.prompt import CompressionSummary
    from shared.values.update import InboxUpdate
    from shared.values.wake import Job, Wake


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


@dataclass(frozen=True, kw_only=True)
class CompressionSnapshot:
    """A conversation's summary as it was read, and the version that a write of another must still find."""

    summary: CompressionSummary | None
    version: object

    @property
    def up_to_seq(self) -> int:
        """The number of the last entry that is summarised."""
        return self.summary.up_to_seq if self.summary else 0


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
