"""Repeating deletions: finished ones, unfinished ones, and ones that wait for a chat in use."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from shared.chat.deletion_files import read_deletion
from shared.privacy.jobs.erase import STEPS
from shared.privacy.jobs.erase_again import NOT_RESTORED, erase_again, keep_deletions
from shared.values.chat import Lease
from shared.values.evolve import evolve
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import HERS, MARK, ROOM, DeletionHarness, hers, talk


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


def test_the_steps_that_are_left_out_are_steps() -> None:
    assert set(STEPS) - set(NOT_RESTORED) == {"words", "places", "archives"}


async def test_one_that_is_over_is_over_again_and_leaves_what_is_new(harness: DeletionHarness) -> None:
    await talk(harness)
    before = await harness.forgets()
    chat = await harness.says(HERS, hers("hello again", message_id=9))
    await harness.says(ROOM, hers("me again", message_id=10, at=harness.now()))
    assert await erase_again(harness.deleter()) == {"erased": 1}
    after = await harness.deletion(before.id)
    assert (after.due_at, after.cut, after.done_at, after.is_told) == (None, before.cut, before.done_at, True)
    assert await harness.spoken(chat.conversation) == [("Ann", "hello again")]
    assert len([path async for path, told in harness.documents() if "me again" in told]) > 0


async def test_one_that_the_database_does_not_know_is_due_from_the_beginning(harness: DeletionHarness) -> None:
    await talk(harness)
    asked = await harness.deletion(await harness.asked())
    await harness.chats.client.document(f"erasures/{asked.id}").delete()
    await keep_deletions(harness.deleter(), [evolve(asked, cut=harness.now())])
    assert (await harness.deletion(asked.id)).due_at is not None
    assert await erase_again(harness.deleter()) == {"erased": 1}
    assert await harness.where(MARK) == []
    assert (await harness.deletion(asked.id)).round == 2, "the deployment looks once more"


async def test_one_that_somebody_holds_up_is_left_to_the_sweep(harness: DeletionHarness) -> None:
    await talk(harness)
    name = await harness.asked()
    await harness.chats.claim(
        await harness.chats.see(ROOM), Lease(owner="a tick", until=harness.now() + timedelta(minutes=5))
    )
    assert await erase_again(harness.deleter()) == {"left": 1}
    assert (await harness.deletion(name)).due_at is not None


async def test_of_a_database_that_is_lost_the_list_outside_tells_who_was_forgotten(harness: DeletionHarness) -> None:
    await talk(harness)
    backup = await harness.backup()
    await harness.forgets()
    assert await harness.where(MARK) == []
    await harness.brings_back(backup)
    assert await harness.where(MARK) != []
    told = [read_deletion(await harness.register.get(name)) for name in await harness.register.names()]
    await keep_deletions(harness.deleter(), told)
    assert await erase_again(harness.deleter()) == {"erased": 1}
    assert await harness.where(MARK) == []
