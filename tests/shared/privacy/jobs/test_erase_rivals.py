"""If two runs of a deletion work at the same time, one continues, and the other stops."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from shared.base.errors import StoreUnavailable
from shared.privacy.jobs.erase import AGAIN, erase
from shared.privacy.store.deletions import DeletionSnapshot, FirestoreDeletions
from shared.values.chat import Lease
from shared.values.deletion import Deletion
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import MARK, ROOM, DeletionHarness, talk


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


class OvertakenDeletions(FirestoreDeletions):
    """The store of deletions, but before its third write another run writes."""

    writes = 0

    async def save(self, seen: DeletionSnapshot, deletion: Deletion) -> DeletionSnapshot:
        """Save; at the third write, raise WriteConflict."""
        self.writes += 1
        if self.writes == 3:
            await super().save(seen, evolve(seen.deletion, counts={"documents": 99}))
        return await super().save(seen, deletion)


async def calls(harness: DeletionHarness) -> int:
    """Return the number of tasks in the queue that call the job."""
    return sum('"erase"' in task.http_request.body.decode() for task in await harness.queue.tasks())


async def test_who_was_overtaken_leaves_it_to_the_other_and_does_not_come_again(harness: DeletionHarness) -> None:
    await talk(harness)
    name = await harness.asked()
    by = replace(harness.deleter(), log=OvertakenDeletions(harness.chats.client))
    await erase(by, JobRun(scheduled_for="s", deletion=name))
    assert (await harness.deletion(name)).counts == {"documents": 99}
    assert await calls(harness) == 0
    await harness.runs(name)
    assert await calls(harness) == 1, "for the second round"
    assert await harness.where(MARK) == []


async def test_who_waits_for_a_chat_comes_again(harness: DeletionHarness) -> None:
    await talk(harness)
    name = await harness.asked()
    await harness.chats.claim(
        await harness.chats.see(ROOM), Lease(owner="a tick", until=harness.now() + timedelta(minutes=5))
    )
    await harness.runs(name)
    (task,) = await harness.queue.tasks()
    assert task.schedule_time <= harness.now() + AGAIN


async def test_a_run_of_the_second_round_that_died_is_followed_at_once(harness: DeletionHarness) -> None:
    await talk(harness)
    name = await harness.asked()
    await harness.runs(name)
    harness.minutes += 21
    harness.log.dies_at = 3
    with pytest.raises(StoreUnavailable):
        await harness.runs(name)
    begun = await harness.deletion(name)
    assert begun.due_at is not None
    assert begun.due_at > harness.now(), "the sweep gives it time"
    await harness.runs(name)
    assert (await harness.deletion(name)).due_at is None
