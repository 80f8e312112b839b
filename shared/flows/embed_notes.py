"""The vectors of one conversation: of its segments, which get what was observed of them too, and of its abbreviation.

Each segment is written by itself, and tells which model made its vector: what a run that is killed has not come to is
found by the next one. Where there is no model, segments get their notes alone.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from shared.logs import log
from shared.models.notes import Notes
from shared.models.observation import Observation
from shared.models.segment import Segment, SegmentNote
from shared.models.vectors import NO_VECTORS
from shared.ports.embedding import EmbeddedAs, Embedder
from shared.ports.notes import NotesStore, SegmentSnapshot
from shared.search.terms import terms_of

#: segments that are embedded in one call, and observations that are read for them
AT_ONCE: Final = 50
MOST_OBSERVATIONS: Final = 500


@dataclass(frozen=True)
class Vectors:
    """What makes vectors of a conversation's words, and keeps them."""

    store: NotesStore
    embedder: Embedder | None
    clock: Callable[[], datetime]

    @property
    def mark(self) -> str:
        """What is embedded is marked with."""
        return self.embedder.model if self.embedder is not None else NO_VECTORS

    async def segments(self, conversation: str, until: datetime) -> bool:
        """Embed what segments have to be; false if there is more of them than there is time for.

        Raises ModelUnavailable, ModelRefused or a StoreError.
        """
        while stale := await self.store.stale_segments(conversation, self.mark, AT_ONCE):
            if self.clock() > until:
                return False
            begin = min(seen.segment.messages[0].at for seen in stale)
            observations = await self.store.observations_since(conversation, begin, MOST_OBSERVATIONS)
            noted = [with_notes(seen.segment, observations) for seen in stale]
            if not await self._keep(stale, noted):
                return True  # they are still being written to, and will come up again
        return True

    async def _keep(self, stale: Sequence[SegmentSnapshot], noted: Sequence[Segment]) -> int:
        """How many were written."""
        vectors = await self.of([segment.text for segment in noted])
        kept = 0
        for seen, segment, vector in zip(stale, noted, vectors, strict=True):
            marked = segment.model_copy(update={"embedding_model": self.mark})
            kept += await self.store.write_segment(seen, marked, vector)
        log("segments have their vectors", segments=kept)
        return kept

    async def abbreviation(self, notes: Notes) -> tuple[float, ...] | None:
        """The vector of an abbreviation; none: it has one of this model, or there is nothing to be embedded."""
        if self.embedder is None or not notes.abbreviation or notes.embedding_model == self.mark:
            return None
        (vector,) = await self.of([f"{notes.title}\n{notes.abbreviation}".strip()])
        return vector

    async def of(self, texts: Sequence[str]) -> Sequence[tuple[float, ...]]:
        """A vector of each text; an empty one where there is no model."""
        if self.embedder is None:
            return [() for _ in texts]
        return await self.embedder.embed(texts, EmbeddedAs.DOCUMENT)


def with_notes(segment: Segment, observations: Iterable[Observation]) -> Segment:
    """The segment with those of its conversation's observations that come from its messages, and no other notes."""
    entries = {message.seq for message in segment.messages}
    notes = (_note(one) for one in observations if not entries.isdisjoint(one.entries))
    return segment.model_copy(update={"notes": tuple(notes)})


def _note(one: Observation) -> SegmentNote:
    return SegmentNote(
        id=one.id,
        text=one.text,
        terms=" ".join(terms_of(one.text)),
        happened=one.happened,
        superseded_on=one.superseded_on,
        outside=one.outside,
    )
