"""The port of usage: what was spent on what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.models.purse import Usage


@dataclass(frozen=True, kw_only=True)
class UsageQuery:
    """Which usage is asked for: of an agent (empty: of all), in a month, and maybe of one day, person or chat."""

    agent: str
    #: as 2026-11, and as 2026-11-25
    month: str
    day: str = ""
    person: int = 0
    #: the ids of a chat's documents, now and before; none: of all chats
    chats: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class FoundUsage:
    """Usage, and how many documents were read to find it, of which some may tell of something else."""

    usage: Sequence[Usage]
    read: int

    def __iter__(self) -> Iterator[Usage]:
        """The usage."""
        return iter(self.usage)


class Usages(Protocol):
    """What was spent on what. Everything raises StoreUnavailable or StoreRefused."""

    async def of(self, query: UsageQuery, limit: int = 2_000) -> FoundUsage:
        """Usage, the newest first: a document for each allowance, which is some 20 answers, and for each job.

        `limit` is how many of the month are read, each of which is a read.
        """

    async def open(self, query: UsageQuery, limit: int = 300) -> FoundUsage:
        """What chats have used of allowances that are not over, and so is in no document yet."""

    async def keep(self, usage: Usage) -> None:
        """Keep what a job used; it may be repeated."""
