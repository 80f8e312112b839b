"""Of two simultaneous runs of a deletion one continues, and the other stops."""

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
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import MARK, ROOM, LeavingTown, talk
from tests.shared.towns import town


@pytest.fixture
async def here(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[LeavingTown]:
    async with AsyncExitStack() as stack:
        yield LeavingTown(await stack.enter_async_context(town()), paused_queue, tmp_path)


class OvertakenDeletions(FirestoreDeletions):
    """The log of deletions, but another run writes before its third write."""

    writes = 0

    async def save(self, seen: DeletionSnapshot, deletion: Deletion) -> DeletionSnapshot:
        """Save, or raise WriteConflict at that write."""
        self.writes += 1
        if self.writes == 3:
            await super().save(seen, evolve(seen.deletion, counts={"documents": 99}))
        return await super().save(seen, deletion)


async def calls(here: LeavingTown) -> int:
    """Return the number of calls of the job in the queue."""
    return sum('"erase"' in task.http_request.body.decode() for task in await here.queue.tasks())


async def test_who_was_overtaken_leaves_it_to_the_other_and_does_not_come_again(here: LeavingTown) -> None:
    await talk(here)
    name = await here.asked()
    by = replace(here.deleter(), log=OvertakenDeletions(here.chats.client))
    await erase(by, JobRun(scheduled_for="s", deletion=name))
    assert (await here.deletion(name)).counts == {"documents": 99}
    assert await calls(here) == 0
    await here.runs(name)
    assert await calls(here) == 1, "for the second round"
    assert await here.where(MARK) == []


async def test_who_waits_for_a_chat_comes_again(here: LeavingTown) -> None:
    await talk(here)
    name = await here.asked()
    await here.chats.claim(await here.chats.see(ROOM), Lease(owner="a tick", until=here.now() + timedelta(minutes=5)))
    await here.runs(name)
    (task,) = await here.queue.tasks()
    assert task.schedule_time <= here.now() + AGAIN


async def test_a_run_of_the_second_round_that_died_is_followed_at_once(here: LeavingTown) -> None:
    await talk(here)
    name = await here.asked()
    await here.runs(name)
    here.minutes += 21
    here.log.dies_at = 3
    with pytest.raises(StoreUnavailable):
        await here.runs(name)
    begun = await here.deletion(name)
    assert begun.due_at is not None
    assert begun.due_at > here.now(), "the sweep gives it time"
    await here.runs(name)
    assert (await here.deletion(name)).due_at is None
