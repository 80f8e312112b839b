"""Makes the vectors of one conversation: one for each segment, and one for its abbreviation (a short version).

Each segment also gets the observations about its messages, even if no model makes vectors. Segments are written one by
one, each with the name of the model that made its vector. So if a run is killed, a later run finds the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from shared.base.errors import ModelUnavailable
from shared.base.language.terms import terms_of
from shared.base.logs import log
from shared.llm.metering import charge_embeddings_to
from shared.llm.ports.embedding import NO_VECTORS, Embedder, EmbeddingTask
from shared.recall.store.notes import SegmentSnapshot
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.message import Message
from shared.values.notes import Notes, Observation
from shared.values.segment import Segment, SegmentNote
from shared.values.usage import ModelUse, Purpose, can_leave_out

if TYPE_CHECKING:
    from shared.recall.store.notes import FirestoreNotes

#: number of segments that are embedded in one call
AT_ONCE: Final = 50
#: the largest number of segments that are read while some of them wait for budget, and the largest number of
#: observations that are read for them
MOST_LOOKED_AT: Final = 500
MOST_OBSERVATIONS: Final = 500


@dataclass
class VectorBuilder:
    """Makes and stores the vectors of a conversation. The authors of the texts pay for them."""

    store: FirestoreNotes
    embedder: Embedder | None
    clock: Callable[[], datetime]
    #: the chat of the conversation; None if unknown
    key: ChatKey | None = None
    #: when to retry segments with an author who is past their limit; None if no segment waits
    waits_until: datetime | None = None

    @property
    def mark(self) -> str:
        """The name of the embedding model, which is stored with each vector."""
        return self.embedder.model if self.embedder is not None else NO_VECTORS

    @property
    def is_private(self) -> bool:
        """Whether the chat is private. If it is, one person pays for all texts."""
        return self.key is not None and self.key.is_private

    async def segments(self, conversation: str, until: datetime) -> bool:
        """Make a vector for each segment that has none by the current model. Return False if `until` comes first.

        Segments by authors who reached their limit must wait. Raises ModelUnavailable, ModelRefused or a StoreError.
        """
        waiting, past = 0, frozenset[int]()
        while stale := await self.store.stale_segments(conversation, self.mark, min(AT_ONCE + waiting, MOST_LOOKED_AT)):
            if self.clock() > until:
                return False
            ready = [one for one in stale if past.isdisjoint(_writers([one.segment]))][:AT_ONCE]
            waiting = len(stale) - len(ready)
            if not ready:
                return True
            begin = min(seen.segment.messages[0].at for seen in ready)
            observations = await self.store.observations_since(conversation, begin, MOST_OBSERVATIONS)
            noted = [with_notes(seen.segment, observations) for seen in ready]
            try:
                if not await self._keep(ready, noted):
                    return True  # segments are still being changed; a later run makes their vectors
            except ModelUnavailable as limit:
                self._wait(limit, past)
                past |= limit.payers
        return True

    def _wait(self, limit: ModelUnavailable, past: frozenset[int]) -> None:
        """Set the time of the next try if a person's spending limit is the cause. Otherwise raise the error again."""
        if limit.again_at is None or limit.payers <= past:
            raise limit
        self.waits_until = min(limit.again_at, self.waits_until or limit.again_at)

    async def _keep(self, stale: Sequence[SegmentSnapshot], noted: Sequence[Segment]) -> int:
        """Write the segments with their vectors. Return how many were written."""
        writers = _writers(noted) or await self._writers_of(stale[0].segment.conversation)
        vectors = await self.of([segment.text for segment in noted], writers)
        kept = 0
        for seen, segment, vector in zip(stale, noted, vectors, strict=True):
            marked = evolve(segment, embedding_model=self.mark)
            kept += await self.store.write_segment(seen, marked, vector)
        log("stored the vectors of segments", segments=kept)
        return kept

    async def abbreviation(self, notes: Notes, conversation: str) -> tuple[float, ...] | None:
        """Return the vector of the abbreviation; None if the stored vector is up to date or the abbreviation is empty.

        The authors share the cost, except those who reached their limit. Raises ModelUnavailable if all reached it.
        """
        if self.embedder is None or not notes.abbreviation or notes.embedding_model == self.mark:
            return None
        writers = await self._writers_of(conversation)
        text = f"{notes.title}\n{notes.abbreviation}".strip()
        while True:
            try:
                (vector,) = await self.of([text], writers)
            except ModelUnavailable as limit:
                if not can_leave_out(writers, limit.payers):
                    raise
                writers = {person: share for person, share in writers.items() if person not in limit.payers}
            else:
                return vector or None

    async def _writers_of(self, conversation: str) -> Mapping[int, int]:
        """Return how many characters each person wrote in the first pages of a group's conversation."""
        if self.is_private:
            return {}
        said = (one for one in await self.store.entries_after(conversation, 0) if isinstance(one, Message))
        return _characters_by_person((0 if one.author.is_agent else one.author.id, len(one.text)) for one in said)

    async def of(self, texts: Sequence[str], writers: Mapping[int, int]) -> Sequence[tuple[float, ...]]:
        """Return a vector for each text. Without a model, or in a group if nobody can pay, the vectors are empty."""
        if self.embedder is None or not (writers or self.is_private):
            return [() for _ in texts]
        with charge_embeddings_to(ModelUse(purpose=Purpose.EMBED, chat=self.key, writers=writers)):
            return await self.embedder.embed(texts, EmbeddingTask.DOCUMENT)


def _writers(segments: Iterable[Segment]) -> Mapping[int, int]:
    """Return how many characters each person wrote in these segments."""
    said = (message for segment in segments for message in segment.messages)
    return _characters_by_person((0 if one.is_agent else one.author, len(one.text)) for one in said)


def _characters_by_person(written: Iterable[tuple[int, int]]) -> Mapping[int, int]:
    counts = Counter[int]()
    for person, characters in written:
        counts[person] += max(1, characters)
    del counts[0]
    return counts


def with_notes(segment: Segment, observations: Iterable[Observation]) -> Segment:
    """Return the segment with its notes replaced by the observations that cite one of its messages."""
    entries = {message.seq for message in segment.messages}
    notes = (_note(one) for one in observations if not entries.isdisjoint(one.entries))
    return evolve(segment, notes=tuple(notes))


def _note(one: Observation) -> SegmentNote:
    return SegmentNote(
        id=one.id,
        text=one.text,
        terms=" ".join(terms_of(one.text)),
        happened=one.happened,
        superseded_on=one.superseded_on,
        outside=one.outside,
    )
