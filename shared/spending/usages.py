"""Values of usage: what was spent on what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.values.purse import Usage


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
