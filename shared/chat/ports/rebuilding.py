"""Values of rebuilding: what is derived from a conversation's transcript is replaced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.values.segment import Segment, SegmentStart


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
