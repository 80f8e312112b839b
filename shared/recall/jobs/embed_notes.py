"""The vectors of one conversation: of its segments, which get what was observed of them too, and of its abbreviation.

Each segment is written by itself, and tells which model made its vector: what a run that is killed has not come to is
found by the next one. Where there is no model, segments get their notes alone.
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

#: segments that are embedded in one call, and observations that are read for them
AT_ONCE: Final = 50
#: segments that are read at most while others of them wait
MOST_LOOKED_AT: Final = 500
MOST_OBSERVATIONS: Final = 500


@dataclass
class VectorBuilder:
    """What makes vectors of a conversation's words, and keeps them. Whoever wrote these pays for them."""

    store: FirestoreNotes
    embedder: Embedder | None
    clock: Callable[[], datetime]
    #: the chat of the conversation; none: it is known of none
    key: ChatKey | None = None
    #: when segments are tried again whose writers are past their limit; none: none waits
    waits_until: datetime | None = None

    @property
    def mark(self) -> str:
        """What is embedded is marked with."""
        return self.embedder.model if self.embedder is not None else NO_VECTORS

    @property
    def is_private(self) -> bool:
        """Whether one person pays for all of it."""
        return self.key is not None and self.key.is_private

    async def segments(self, conversation: str, until: datetime) -> bool:
        """Embed what segments have to be; false if there is more of them than there is time for.

        Segments wait in which somebody speaks who is past their limit. Raises ModelUnavailable, ModelRefused or a
        StoreError.
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
                    return True  # they are still being written to, and will come up again
            except ModelUnavailable as limit:
                self._wait(limit, past)
                past |= limit.payers
        return True

    def _wait(self, limit: ModelUnavailable, past: frozenset[int]) -> None:
        """Note when to try again what a person's own limit does not allow. Raises any other error again."""
        if limit.again_at is None or limit.payers <= past:
            raise limit
        self.waits_until = min(limit.again_at, self.waits_until or limit.again_at)

    async def _keep(self, stale: Sequence[SegmentSnapshot], noted: Sequence[Segment]) -> int:
        """How many were written."""
        writers = _writers(noted) or await self._writers_of(stale[0].segment.conversation)
        vectors = await self.of([segment.text for segment in noted], writers)
        kept = 0
        for seen, segment, vector in zip(stale, noted, vectors, strict=True):
            marked = evolve(segment, embedding_model=self.mark)
            kept += await self.store.write_segment(seen, marked, vector)
        log("segments have their vectors", segments=kept)
        return kept

    async def abbreviation(self, notes: Notes, conversation: str) -> tuple[float, ...] | None:
        """The vector of an abbreviation; none: it has one of this model, or there is nothing to be embedded.

        What it tells of somebody is paid for; those who are past their limit pay nothing for its vector.
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
        """By person, how much they wrote of a group's conversation, as far as its first pages tell."""
        if self.is_private:
            return {}
        said = (one for one in await self.store.entries_after(conversation, 0) if isinstance(one, Message))
        return _characters_by_person((0 if one.author.is_agent else one.author.id, len(one.text)) for one in said)

    async def of(self, texts: Sequence[str], writers: Mapping[int, int]) -> Sequence[tuple[float, ...]]:
        """A vector of each text; an empty one where there is no model, or nobody in a group who could pay."""
        if self.embedder is None or not (writers or self.is_private):
            return [() for _ in texts]
        with charge_embeddings_to(ModelUse(purpose=Purpose.EMBED, chat=self.key, writers=writers)):
            return await self.embedder.embed(texts, EmbeddingTask.DOCUMENT)


def _writers(segments: Iterable[Segment]) -> Mapping[int, int]:
    """By person, how many characters of some segments they wrote."""
    said = (message for segment in segments for message in segment.messages)
    return _characters_by_person((0 if one.is_agent else one.author, len(one.text)) for one in said)


def _characters_by_person(written: Iterable[tuple[int, int]]) -> Mapping[int, int]:
    counts = Counter[int]()
    for person, characters in written:
        counts[person] += max(1, characters)
    del counts[0]
    return counts


def with_notes(segment: Segment, observations: Iterable[Observation]) -> Segment:
    """The segment with those of its conversation's observations that come from its messages, and no other notes."""
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
