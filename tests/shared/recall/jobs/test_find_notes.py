"""Tests that one task is made for each due conversation."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.chat.store.sweep import FirestoreSweep
from shared.recall.jobs.find_notes import NotesFinder, find_notes
from shared.values.job_run import JobRun
from shared.values.notes import DueConversation
from tests.shared.examples import NOW
from tests.shared.paused_queue import PausedQueue

JOB_RUN = JobRun(scheduled_for="2026-03-01T12:00:00Z")


@dataclass
class Rests(FirestoreSweep):
    """A store with given due conversations."""

    due_now: list[DueConversation] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    async def due(self, now: datetime, limit: int) -> Sequence[DueConversation]:
        return [one for one in self.due_now if one.due_at < now][:limit]

    async def embedded_by_another(self, model: str, limit: int) -> Sequence[str]:
        return self.others[:limit]


def finder(found: Rests, queue: PausedQueue, model: str = "") -> NotesFinder:
    return NotesFinder(store=found, queue=queue.background_jobs(), embedding_model=model, clock=lambda: NOW)


async def bodies(queue: PausedQueue) -> list[dict[str, str]]:
    return sorted((json.loads(task.http_request.body) for task in await queue.tasks()), key=str)


async def test_enqueues_each_due_conversation_once(paused_queue: PausedQueue) -> None:
    found = Rests([DueConversation(conversation=f"conv-{n}", due_at=NOW - timedelta(minutes=n)) for n in (1, 2)])
    for _ in range(2):
        assert await find_notes(finder(found, paused_queue), JOB_RUN) == {"due": 2, "embedded_by_another": 0}
    assert await bodies(paused_queue) == [{"job": "note", "conversation": f"conv-{n}"} for n in (1, 2)]
    found.due_now[0] = DueConversation(conversation="conv-1", due_at=NOW - timedelta(seconds=1))
    await find_notes(finder(found, paused_queue), JOB_RUN)
    assert len(await bodies(paused_queue)) == 3


async def test_finds_vectors_of_another_model_if_there_is_a_model(paused_queue: PausedQueue) -> None:
    found = Rests([DueConversation(conversation="conv-1", due_at=NOW - timedelta(minutes=1))], ["conv-1", "conv-2"])
    counts = await find_notes(finder(found, paused_queue, "new"), JOB_RUN)
    assert counts == {"due": 1, "embedded_by_another": 2}
    assert [body["conversation"] for body in await bodies(paused_queue)] == ["conv-1", "conv-2"]
