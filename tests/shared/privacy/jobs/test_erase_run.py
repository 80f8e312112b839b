"""One run of a deletion, and how the run saves its progress."""

from collections import Counter
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from infra.functions import declared_functions
from shared.base.errors import WriteConflict
from shared.privacy.jobs.erase_run import LATE, LONGEST, DeletionRun, RunTimeExceeded
from shared.privacy.store.deletions import DeletionSnapshot
from shared.values.deletion import GRACE, Deletion, DeletionScope
from shared.values.evolve import evolve
from tests.shared.examples import NOW
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import HERS, DeletionHarness, hers


async def test_counts_add_up_lists_grow_once_and_of_two_runs_one_goes_on(
    emulator: str, paused_queue: PausedQueue, tmp_path: object
) -> None:
    async with new_chats() as chats:
        harness = DeletionHarness(chats, paused_queue, tmp_path)  # type: ignore[arg-type]
        name = await harness.asked()
        seen = await harness.log.read(name)
        assert seen is not None
        run, other = DeletionRun(harness.deleter(), seen), DeletionRun(harness.deleter(), seen)
        await run.note(Counter(documents=2), gone=["a"])
        await run.note(Counter(documents=3), gone=["a", "b"], changed=["c"])
        kept = await harness.deletion(name)
        assert (kept.counts, kept.gone, kept.changed) == ({"documents": 5}, ("a", "b"), ("c",))
        with pytest.raises(WriteConflict):
            await other.note(Counter(documents=1))


async def test_work_of_a_chat_is_done_under_its_lease_and_given_back_if_it_fails(
    emulator: str, paused_queue: PausedQueue, tmp_path: object
) -> None:
    async with new_chats() as chats:
        harness = DeletionHarness(chats, paused_queue, tmp_path)  # type: ignore[arg-type]
        await harness.says(HERS, hers())
        seen = await harness.log.read(await harness.asked())
        assert seen is not None
        run = DeletionRun(harness.deleter(), seen)

        async def work(session: object) -> Counter[str]:
            assert (await chats.see(HERS)).chat.claim.lease is not None
            return Counter(documents=1)

        async def fails(session: object) -> Counter[str]:
            raise WriteConflict("somebody else")

        assert await run.holding(HERS, work) is not None
        with pytest.raises(WriteConflict):
            await run.holding(HERS, fails)
        assert (await chats.see(HERS)).chat.claim.lease is None
        assert run.deletion.counts == {"documents": 1}


async def test_a_run_says_that_it_goes_on_and_is_told_from_one_that_was_overtaken(
    emulator: str, paused_queue: PausedQueue, tmp_path: object
) -> None:
    async with new_chats() as chats:
        harness = DeletionHarness(chats, paused_queue, tmp_path)  # type: ignore[arg-type]
        seen = await harness.log.read(await harness.asked())
        assert seen is not None
        run, other = DeletionRun(harness.deleter(), seen), DeletionRun(harness.deleter(), seen)
        await run.check_time()
        due = run.deletion.due_at
        assert due is not None
        assert due >= harness.now() + GRACE - timedelta(minutes=1), "the sweep leaves it alone"
        await run.note(Counter(documents=0), changed=[])
        assert run.deletion.due_at == due, "nothing is written of no news"
        harness.minutes += 1
        await run.note()
        assert run.deletion.due_at == await _due(harness, seen.deletion.id) > due
        assert not await run.is_overtaken()
        assert await other.is_overtaken()
        await run.save(due_at=None)
        assert await _due(harness, seen.deletion.id) is None


async def _due(harness: DeletionHarness, name: str) -> Any:
    return (await harness.deletion(name)).due_at


async def test_a_run_that_worked_as_long_as_it_may_keeps_what_it_reached_and_ends(
    emulator: str, paused_queue: PausedQueue, tmp_path: object
) -> None:
    async with new_chats() as chats:
        harness = DeletionHarness(chats, paused_queue, tmp_path)  # type: ignore[arg-type]
        seen = await harness.log.read(await harness.asked())
        assert seen is not None
        run = DeletionRun(harness.deleter(), seen)
        await run.check_time()
        run.set_progress(through=("conv-1",))
        await run.note()
        assert (await harness.deletion(seen.deletion.id)).through == (), "it costs no write of its own"
        harness.minutes += LONGEST.seconds // 60 + 1
        with pytest.raises(RunTimeExceeded):
            await run.check_time()
        assert (await harness.deletion(seen.deletion.id)).through == ("conv-1",)


def test_a_run_ends_well_before_its_function_does() -> None:
    assert LONGEST + timedelta(minutes=1) <= timedelta(seconds=declared_functions()["erase"].limits.timeout_s)


def test_what_models_made_a_little_later_counts_as_made_before(deletion: Deletion) -> None:
    deleter: Any = SimpleNamespace(clock=lambda: NOW)
    run = DeletionRun(deleter, DeletionSnapshot(deletion=deletion, version=1))
    assert (run.cut, run.people_cut, run.models_cut) == (NOW, NOW, NOW + LATE)
    over = evolve(deletion, done_at=NOW + timedelta(minutes=1))
    later = DeletionRun(deleter, DeletionSnapshot(deletion=over, version=1))
    assert (later.cut, later.people_cut) == (NOW, NOW + timedelta(minutes=1))


@pytest.fixture
def deletion() -> Deletion:
    return Deletion(id="e", scope=DeletionScope.PERSON, person=7, chat=HERS.id, asked_at=NOW, due_at=NOW, cut=NOW)
