"""Notes of a conversation as they were read, and a change of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # whoever only looks for what is due starts without them
    from shared.values.notes import Notes, Observation
    from shared.values.segment import Segment


@dataclass(frozen=True, kw_only=True)
class NotesSnapshot:
    """A conversation's notes as they were read: with the version that a write of them must still find."""

    conversation: str
    notes: Notes
    version: object


@dataclass(frozen=True, kw_only=True)
class NotesChange:
    """What is written at once: the notes; what was observed; which older observations are contradicted by that."""

    notes: Notes
    observations: tuple[Observation, ...] = ()
    superseded: tuple[Observation, ...] = ()
    #: when what was observed had begun to be said: segments from then on are to carry it
    since: datetime | None = None
    #: the abbreviation's vector; none: it is left as it is, or goes if the notes name no model
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class SegmentSnapshot:
    """A segment as it was read: with the version that a write of it must still find."""

    segment: Segment
    version: object
