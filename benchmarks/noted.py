"""What lull has noted of the conversations of a measure, whose messages have names: of each, once it rests."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.outages.names import names_in
from shared.chat.store import paths
from shared.values.notes import Notes

#: what is due later than this is a try that was put off, not a conversation that rests soon
SOON = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True)
class Noted:
    """What is noted of one conversation: its notes, the names of the messages that were observed, as often as they
    were, and the models that made the vectors of its segments.
    """

    notes: Notes
    observed: Sequence[str] = ()
    embedded_by: Sequence[str] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing more is to be done for it."""
        notes = self.notes
        is_noted = bool(notes.abbreviation) and notes.noted_seq == notes.entries and not notes.needs_abbreviation
        is_embedded = bool(notes.embedding_model) and set(self.embedded_by) == {notes.embedding_model}
        return is_noted and is_embedded and notes.due_at is None


@dataclass(frozen=True, kw_only=True)
class NotedFigures:
    """Conversations that are not noted whole, messages that were not observed, and those once more than they were."""

    unnoted: int = 0
    unobserved: int = 0
    observed_twice: int = 0

    @property
    def missing(self) -> int:
        """What is not there, of either."""
        return self.unnoted + self.unobserved


def figures_of(noted: Iterable[Noted], names: Collection[str]) -> NotedFigures:
    """The figures, where people wrote messages of these names, each once."""
    every = list(noted)
    times = Counter(name for one in every for name in one.observed)
    return NotedFigures(
        unnoted=sum(not one.is_whole for one in every) if every else len(names),
        unobserved=sum(not times[name] for name in names),
        observed_twice=sum(count - 1 for count in times.values()),
    )


async def noted_in(firestore: AsyncClient) -> list[Noted]:
    """What is noted of every conversation in which somebody spoke."""
    found = [one async for one in firestore.collection(paths.CONVERSATIONS).stream()]
    return [await _noted(one) for one in found if (one.to_dict() or {}).get("turns")]


async def _noted(document: Any) -> Noted:
    below = document.reference.collection
    observed = [one.to_dict() or {} async for one in below(paths.OBSERVATIONS).stream()]
    segments = [one.to_dict() or {} async for one in below(paths.SEGMENTS).stream()]
    return Noted(
        notes=Notes.model_validate(document.to_dict()),
        observed=[name for one in observed for name in names_in(str(one.get("text")))],
        embedded_by=[str(one.get("embedding_model")) for one in segments],
    )


async def time_passes(firestore: AsyncClient) -> None:
    """Let the minutes or hours pass after which what failed is tried again."""
    async for one in firestore.collection(paths.CONVERSATIONS).stream():
        due_at, now = (one.to_dict() or {}).get("due_at"), datetime.now(UTC)
        if due_at is not None and due_at > now + SOON:
            await one.reference.update({"due_at": now})
