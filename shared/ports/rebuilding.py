"""The port of rebuilding: what is derived from a conversation's transcript is replaced."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.models.segment import Segment, SegmentStart


@dataclass(frozen=True, kw_only=True)
class Outlined:
    """A conversation by its document alone: the id of its chat's, and how many entries and turns it has."""

    conversation: str
    chat: str
    entries: int
    turns: int


@dataclass(frozen=True, kw_only=True)
class Rebuilt:
    """What is made anew of one conversation."""

    conversation: str
    place: str
    segments: Sequence[Segment]
    #: the numbers of those that were written before
    written: frozenset[int] = frozenset()
    #: where the open one begins
    start: SegmentStart
    #: from when on its vectors are made again; none: nobody has said anything in it
    due_at: datetime | None
    #: whether its notes are, too
    is_noted_again: bool = True


@dataclass(frozen=True, kw_only=True)
class RebuildCursor:
    """How far a rebuilding came that did not end."""

    started_at: datetime
    #: the last conversation that was done, in the order of their ids
    beyond: str
    done: int


class Rebuilding(Protocol):
    """What rebuilding needs of Firestore. Everything raises StoreUnavailable or StoreRefused."""

    def outline(self, beyond: str) -> AsyncIterator[Outlined]:
        """The conversations after this one, in the order of their ids."""

    async def write(self, segments: Sequence[Segment]) -> None:
        """Write some segments of a conversation that is long; `replace` ends it."""

    async def replace(self, rebuilt: Rebuilt) -> None:
        """Write what was made anew, and delete what it replaces. It may be repeated."""

    async def cursor(self) -> RebuildCursor | None:
        """Where the last rebuilding stopped; none: it came to its end."""

    async def keep_cursor(self, cursor: RebuildCursor | None) -> None:
        """Keep how far it came; none: to the end."""
