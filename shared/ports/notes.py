"""The ports of noting: what is kept of a conversation's notes, and what they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from shared.models.notes import DueConversation

if TYPE_CHECKING:  # whoever only looks for what is due starts without them
    from shared.models.chat_key import ChatKey
    from shared.models.message import AnyEntry
    from shared.models.notes import Notes, Observation
    from shared.models.segment import Segment


class DueNotes(Protocol):
    """Where it is found what is due. Everything raises StoreUnavailable or StoreRefused."""

    async def due(self, now: datetime, limit: int) -> Sequence[DueConversation]:
        """The conversations that were to be worked on before now, those that have waited longest first."""

    async def embedded_by_another(self, model: str, limit: int) -> Sequence[str]:
        """Some conversations whose vectors another model made than this one."""


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


class NotesStore(Protocol):
    """What noting needs of Firestore. Everything raises StoreUnavailable or StoreRefused."""

    async def read(self, conversation: str) -> NotesSnapshot | None:
        """A conversation's notes; none if there is no such conversation."""

    async def entries_after(self, conversation: str, seq: int) -> tuple[AnyEntry, ...]:
        """The entries of the transcript that follow number `seq`, oldest first; of a long stretch the first of them."""

    async def known(self, place: str, limit: int) -> Sequence[Observation]:
        """What was observed in a place, the newest first."""

    async def write(self, seen: NotesSnapshot, change: NotesChange) -> None:
        """Write a change, all of it or nothing. Raises Contended if the document changed since it was seen."""

    async def zone(self, key: ChatKey) -> str:
        """The time zone of a chat's people, as they told it; empty: they did not."""

    async def stale_segments(self, conversation: str, model: str, limit: int) -> Sequence[SegmentSnapshot]:
        """Some segments whose vectors another model made than this one, or that have none yet."""

    async def observations_since(self, conversation: str, moment: datetime, limit: int) -> Sequence[Observation]:
        """What was observed of what was said in a conversation from a moment on, the oldest first."""

    async def write_segment(self, seen: SegmentSnapshot, segment: Segment, vector: tuple[float, ...]) -> bool:
        """Write a segment whole; false if it changed since it was seen: then it will be looked at again."""
