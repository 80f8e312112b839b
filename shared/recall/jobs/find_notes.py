"""Finds the conversations that are due for notes or vectors, and enqueues a background task for each of them.

So the queue distributes the work, and a conversation that fails does not delay others.
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

#: the largest number of due conversations in one run: creating a task takes about 20 ms, and a run has three minutes
MOST_DUE: Final = 1_000
#: the largest number of conversations per run whose vectors another model made; their vectors are made again gradually
MOST_EMBEDDED: Final = 50


@dataclass(frozen=True, kw_only=True)
class NotesFinder:
    """The stores and settings for finding due conversations. `embedding_model` is "" if no model makes vectors."""

    store: FirestoreSweep
    queue: JobQueue
    embedding_model: str
    clock: Callable[[], datetime]


async def find_notes(finder: NotesFinder, job_run: JobRun) -> Mapping[str, int]:
    """Enqueue the due conversations. Return how many of them need notes and how many need new vectors.

    A conversation that is found again within an hour is not enqueued again. Raises StoreUnavailable, StoreRefused or
    QueueUnavailable; the run may then be repeated.
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
    log("looked for conversations at rest", **dict[str, Any](counts))
    return counts
