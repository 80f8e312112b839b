"""Finding the conversations that rest, by query, and having each noted by a task of its own in the background queue.

So it scales with the queue, and what one conversation meets keeps no other from its notes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from shared.base.errors import QueueRefused
from shared.base.logs import log, log_failure
from shared.chat.queue import JobQueue
from shared.values.job_run import JobRun
from shared.values.wake import note_job

if TYPE_CHECKING:
    from shared.chat.store.sweep import FirestoreSweep

#: conversations that one run asks for. A task takes some 20 ms to make, and a run has three minutes
MOST_DUE: Final = 1_000
#: and of those whose vectors are of another model: a change of the model is caught up with in the background
MOST_EMBEDDED: Final = 50


@dataclass(frozen=True, kw_only=True)
class NotesFinder:
    """What finding needs. `embedding_model` makes vectors now; empty: none does."""

    store: FirestoreSweep
    queue: JobQueue
    embedding_model: str
    clock: Callable[[], datetime]


async def find_notes(finder: NotesFinder, job_run: JobRun) -> Mapping[str, int]:
    """How many conversations are to be noted, and how many to be embedded anew; found again, they are not asked for
    again within the hour.

    Raises StoreUnavailable, StoreRefused or QueueUnavailable: then the run is repeated.
    """
    now = finder.clock()
    wanted = {one.conversation: one.due_at.isoformat() for one in await finder.store.due(now, MOST_DUE)}
    counts = {"due": len(wanted), "embedded_by_another": 0}
    if finder.embedding_model:
        others = await finder.store.embedded_by_another(finder.embedding_model, MOST_EMBEDDED)
        counts["embedded_by_another"] = len(others)
        wanted = {one: finder.embedding_model for one in others} | wanted
    for conversation, of in wanted.items():
        try:
            await finder.queue.enqueue(note_job(conversation, of, now, job_run.traceparent))
        except QueueRefused as error:
            log_failure(error)
    log("looked for conversations that rest", **dict[str, Any](counts))
    return counts
