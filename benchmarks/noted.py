"""lull's notes on the conversations of a measure, read after the conversations rest (nobody has written for a while).
Each message contains a unique name.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.outages.names import names_in
from shared.chat.store import paths
from shared.values.notes import Notes

#: a conversation whose notes are due later than this waits for a retry; otherwise it only waits until it counts as
#: resting
SOON = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True)
class Noted:
    """The notes on one conversation. `observed`: the message names in its observations, with repetitions;
    `embedded_by`: the models that made the vectors of its segments.
    """

    notes: Notes
    observed: Sequence[str] = ()
    embedded_by: Sequence[str] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the conversation's notes and vectors are complete."""
        notes = self.notes
        is_noted = bool(notes.abbreviation) and notes.noted_seq == notes.entries and not notes.needs_abbreviation
        is_embedded = bool(notes.embedding_model) and set(self.embedded_by) == {notes.embedding_model}
        return is_noted and is_embedded and notes.due_at is None


@dataclass(frozen=True, kw_only=True)
class NotedFigures:
    """The number of conversations with incomplete notes, of messages that no observation names, and of repeated namings
    of a message.
    """

    unnoted: int = 0
    unobserved: int = 0
    observed_twice: int = 0

    @property
    def missing(self) -> int:
        """The number of incomplete notes and missing observations."""
        return self.unnoted + self.unobserved


def figures_of(noted: Iterable[Noted], names: Collection[str]) -> NotedFigures:
    """Return the figures. `names` are the names of all messages; each name was written once."""
    every = list(noted)
    times = Counter(name for one in every for name in one.observed)
    return NotedFigures(
        unnoted=sum(not one.is_whole for one in every) if every else len(names),
        unobserved=sum(not times[name] for name in names),
        observed_twice=sum(count - 1 for count in times.values()),
    )


async def noted_in(firestore: AsyncClient) -> list[Noted]:
    """Return the notes on every conversation that has at least one message."""
    found = [one async for one in firestore.collection(paths.CONVERSATIONS).stream()]
    return [await _read_notes(one) for one in found if (one.to_dict() or {}).get("turns")]


async def _read_notes(document: Any) -> Noted:
    below = document.reference.collection
    observed = [one.to_dict() or {} async for one in below(paths.OBSERVATIONS).stream()]
    segments = [one.to_dict() or {} async for one in below(paths.SEGMENTS).stream()]
    return Noted(
        notes=Notes.model_validate(document.to_dict()),
        observed=[name for one in observed for name in names_in(str(one.get("text")))],
        embedded_by=[str(one.get("embedding_model")) for one in segments],
    )


async def time_passes(firestore: AsyncClient) -> None:
    """Make delayed retries of notes due now, as if time had passed."""
    async for one in firestore.collection(paths.CONVERSATIONS).stream():
        due_at, now = (one.to_dict() or {}).get("due_at"), datetime.now(UTC)
        if due_at is not None and due_at > now + SOON:
            await one.reference.update({"due_at": now})
