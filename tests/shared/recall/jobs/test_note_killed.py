"""The notes job is killed before and after each of its steps and repeated; the result is the same."""

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
from tests.shared.privacy.jobs.desk import Desk
from tests.shared.recall.jobs.test_note import Embeds, observed, talk
from tests.shared.recall.jobs.test_summarize import summarizer
from tests.shared.turn.watched import Killed
from tests.stories.play import Model

DAY = datetime(2026, 5, 9, 9, 0, tzinfo=UTC)
STEPS = ("read", "entries_after", "known", "write", "stale_segments", "observations_since", "write_segment")


class DyingStore:
    """A store of a run that is killed at one of its steps, before or after it."""

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
def desk(inbox: FirestoreInbox, script: Model, gemini: GeminiModel, paused_queue: PausedQueue, key: ChatKey) -> Desk:
    return Desk(inbox.client, script, paused_queue, gemini, key, embedder=Embeds())


async def played(desk: Desk, at: int) -> tuple[Any, bool]:
    """Return the stored notes after a run that was killed at a step and repeated, and whether it was killed at all.

    Also returns how often the chat, whose summary is old, is to be summarised.
    """
    old = ChatSummary(text="Old.", made_at=desk.now - timedelta(days=4, seconds=at))
    await FirestoreSummaries(desk.client).keep(desk.key.id, SummarySpan.WEEK, old)
    by, tasks = summarizer(desk), len(await desk.queue.tasks())
    conversation = await desk.has(*talk("I moved to Lviv", "nice"))
    await desk.has_segments(conversation, talk("I moved to Lviv"), talk("nice", first=2))
    is_killed = False
    try:
        store: Any = DyingStore(FirestoreNotes(desk.client), at)
        await desk.works_on(conversation, summarizer=by, store=store)
    except Killed:
        is_killed = True
        await desk.works_on(conversation, summarizer=by)
    notes, segments = await desk.notes(conversation), await desk.segments(conversation)
    told = [(one["embedding_model"], "Ann lives in Lviv" in one["notes"], "embedding" in one) for one in segments]
    seen = [one.text for one in await desk.observations(conversation)]
    jobs = len(await desk.queue.tasks()) - tasks
    return (notes, seen, told, "embedding" in await desk.document(conversation), jobs), is_killed


async def test_a_run_killed_at_any_step_is_completed_by_the_next(desk: Desk) -> None:
    notes = {"abbreviation": "Ann moved.", "observations": [observed("Ann lives in Lviv.", 1)]}
    await desk.script.will({"text": json.dumps(notes), "match": "Write the notes now.", "times": None})
    whole, is_killed = await played(desk, 10**6)
    assert not is_killed
    _, seen, told, is_embedded, jobs = whole
    assert (seen, told) == (["Ann lives in Lviv."], [("words", True, True), ("words", False, True)])
    assert (is_embedded, jobs) == (True, 1)
    steps = 0
    while True:
        found, is_killed = await played(desk, steps)
        if not is_killed:
            break
        assert found == whole, steps
        steps += 1
    assert steps >= 16
