"""The notes job is killed before or after each of its steps, and repeated. The result is always the same."""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.chat.store.inbox import FirestoreInbox
from shared.llm.gemini.model import GeminiModel
from shared.recall.store.notes import FirestoreNotes
from shared.recall.store.summaries import ChatSummary, FirestoreSummaries, SummarySpan
from shared.values.chat_key import ChatKey
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.job_harness import JobHarness
from tests.shared.recall.jobs.test_note import Embeds, observed, talk
from tests.shared.recall.jobs.test_summarize import summarizer
from tests.shared.turn.watched import Killed
from tests.stories.play import Model

DAY = datetime(2026, 5, 9, 9, 0, tzinfo=UTC)
STEPS = ("read", "entries_after", "known", "write", "stale_segments", "observations_since", "write_segment")


class DyingStore:
    """A store. The run that uses it is killed at one of its steps, before or after the step."""

    def __init__(self, store: FirestoreNotes, at: int) -> None:
        self.store, self.left = store, at

    def __getattr__(self, name: str) -> Any:
        step: Callable[..., Awaitable[Any]] = getattr(self.store, name)
        if name not in STEPS:
            return step

        async def watched(*asked: Any) -> Any:
            self.left -= 1
            if self.left == -1:
                raise Killed
            done = await step(*asked)
            self.left -= 1
            if self.left == -1:
                raise Killed
            return done

        return watched


@pytest.fixture
def job_harness(
    inbox: FirestoreInbox, script: Model, gemini: GeminiModel, paused_queue: PausedQueue, key: ChatKey
) -> JobHarness:
    return JobHarness(inbox.client, script, paused_queue, gemini, key, embedder=Embeds())


async def played(job_harness: JobHarness, at: int) -> tuple[Any, bool]:
    """Kill a run at a step and repeat it. Return the stored notes, and whether the run was killed at all.

    The notes come with the number of times that the chat, whose summary is old, is to be summarised.
    """
    old = ChatSummary(text="Old.", made_at=job_harness.now - timedelta(days=4, seconds=at))
    await FirestoreSummaries(job_harness.client).keep(job_harness.key.id, SummarySpan.WEEK, old)
    by, tasks = summarizer(job_harness), len(await job_harness.queue.tasks())
    conversation = await job_harness.has(*talk("I moved to Lviv", "nice"))
    await job_harness.has_segments(conversation, talk("I moved to Lviv"), talk("nice", first=2))
    is_killed = False
    try:
        store: Any = DyingStore(FirestoreNotes(job_harness.client), at)
        await job_harness.works_on(conversation, summarizer=by, store=store)
    except Killed:
        is_killed = True
        await job_harness.works_on(conversation, summarizer=by)
    notes, segments = await job_harness.notes(conversation), await job_harness.segments(conversation)
    told = [(one["embedding_model"], "Ann lives in Lviv" in one["notes"], "embedding" in one) for one in segments]
    seen = [one.text for one in await job_harness.observations(conversation)]
    jobs = len(await job_harness.queue.tasks()) - tasks
    return (notes, seen, told, "embedding" in await job_harness.document(conversation), jobs), is_killed


async def test_a_run_killed_at_any_step_is_completed_by_the_next(job_harness: JobHarness) -> None:
    notes = {"abbreviation": "Ann moved.", "observations": [observed("Ann lives in Lviv.", 1)]}
    await job_harness.script.will({"text": json.dumps(notes), "match": "Write the notes now.", "times": None})
    whole, is_killed = await played(job_harness, 10**6)
    assert not is_killed
    _, seen, told, is_embedded, jobs = whole
    assert (seen, told) == (["Ann lives in Lviv."], [("words", True, True), ("words", False, True)])
    assert (is_embedded, jobs) == (True, 1)
    steps = 0
    while True:
        found, is_killed = await played(job_harness, steps)
        if not is_killed:
            break
        assert found == whole, steps
        steps += 1
    assert steps >= 16
