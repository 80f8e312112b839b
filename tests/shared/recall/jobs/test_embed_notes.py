"""Tests of making vectors in batches within a time limit."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

import pytest

from shared.llm.ports.embedding import EmbeddingTask
from shared.recall.jobs.embed_notes import AT_ONCE, VectorBuilder, with_notes
from shared.recall.store.notes import SegmentSnapshot
from shared.values.evolve import evolve
from shared.values.notes import Notes, Observation
from shared.values.segment import Segment, SegmentMessage
from tests.shared.examples import KEY, NOW
from tests.shared.recall.talks import lines, observation


def segment(*seqs: int) -> Segment:
    said = [one for one in lines(*(f"line {n}" for n in range(1, 9))) if one.seq in seqs]
    messages = [
        SegmentMessage(seq=m.seq, message_id=m.message_id, at=m.at, author=m.author.id, name="Ann", text=m.text)
        for m in said
    ]
    about = {"conversation": "conv-1", "number": 1, "agent": "lull", "place": "lull.1", "chat": "c"}
    return Segment.model_validate(about | {"messages": messages})


@dataclass
class Kept:
    """A store of segments that need vectors. If `held` is set, the segments change all the time."""

    left: list[Segment] = field(default_factory=list)
    written: list[Segment] = field(default_factory=list)
    held: bool = False

    async def stale_segments(self, conversation: str, model: str, limit: int) -> Sequence[SegmentSnapshot]:
        return [SegmentSnapshot(segment=one, version=None) for one in self.left[:limit]]

    async def observations_since(self, conversation: str, moment: datetime, limit: int) -> Sequence[Observation]:
        return []

    async def write_segment(self, seen: SegmentSnapshot, segment: Segment, vector: tuple[float, ...]) -> bool:
        if self.held:
            return False
        self.left.remove(seen.segment)
        self.written.append(segment)
        return True


class Embeds:
    """A fake embedding model."""

    model = "words"

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        assert len(texts) <= AT_ONCE
        return [(1.0,) for _ in texts]


def vectors(kept: Kept, embeds: Embeds | None = None) -> VectorBuilder:
    return VectorBuilder(kept, embeds, lambda: NOW, KEY)  # type: ignore[arg-type]  # of the store, what vectors need


def many(count: int) -> list[Segment]:
    return [evolve(segment(1), number=number) for number in range(1, count + 1)]


@pytest.mark.parametrize(("embeds", "mark"), [(Embeds(), "words"), (None, "no")])
async def test_marks_every_segment_with_its_model(embeds: Embeds | None, mark: str) -> None:
    kept = Kept(many(AT_ONCE + 3))
    assert await vectors(kept, embeds).segments("conv-1", NOW)
    assert [one.embedding_model for one in kept.written] == [mark] * (AT_ONCE + 3)


async def test_stops_when_time_runs_out() -> None:
    kept = Kept(many(2))
    assert not await vectors(kept, Embeds()).segments("conv-1", NOW - timedelta(seconds=1))
    assert len(kept.left) == 2


async def test_does_not_wait_for_segments_that_keep_changing() -> None:
    assert await vectors(Kept(many(2), held=True), Embeds()).segments("conv-1", NOW)


async def test_an_abbreviation_is_embedded_once() -> None:
    notes = Notes(abbreviation="A.")
    assert await vectors(Kept(), Embeds()).abbreviation(notes, "conv-1") == (1.0,)
    assert await vectors(Kept(), Embeds()).abbreviation(evolve(notes, embedding_model="words"), "conv-1") is None
    assert await vectors(Kept(), None).abbreviation(notes, "conv-1") is None
    assert await vectors(Kept(), Embeds()).abbreviation(Notes(), "conv-1") is None


def test_a_segment_gets_the_notes_of_its_messages() -> None:
    known = [
        observation("Ann paints boats.", entries=(1, 2), happened="2026"),
        observation("Elsewhere.", entries=(9,)),
        observation("Ann lived in Kyiv.", entries=(3,), superseded_on=date(2026, 5, 1), outside="a forwarded message"),
    ]
    noted = with_notes(segment(2, 3), known)
    assert [note.text for note in noted.notes] == ["Ann paints boats.", "Ann lived in Kyiv."]
    assert (noted.notes[0].happened, noted.notes[1].superseded_on) == ("2026", date(2026, 5, 1))
    assert "boat" in noted.notes[0].terms
    assert [note.outside for note in noted.notes] == ["", "a forwarded message"]
    assert with_notes(noted, []).notes == ()
