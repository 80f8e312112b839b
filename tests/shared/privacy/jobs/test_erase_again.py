"""Repeating deletions that are finished, under way, or held up by a chat in use."""

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
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import HERS, MARK, ROOM, LeavingTown, hers, talk
from tests.shared.towns import town


@pytest.fixture
async def here(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[LeavingTown]:
    async with AsyncExitStack() as stack:
        yield LeavingTown(await stack.enter_async_context(town()), paused_queue, tmp_path)


def test_the_steps_that_are_left_out_are_steps() -> None:
    assert set(STEPS) - set(NOT_RESTORED) == {"words", "places", "archives"}


async def test_one_that_is_over_is_over_again_and_leaves_what_is_new(here: LeavingTown) -> None:
    await talk(here)
    before = await here.forgets()
    chat = await here.says(HERS, hers("hello again", message_id=9))
    await here.says(ROOM, hers("me again", message_id=10, at=here.now()))
    assert await erase_again(here.deleter()) == {"erased": 1}
    after = await here.deletion(before.id)
    assert (after.due_at, after.cut, after.done_at, after.is_told) == (None, before.cut, before.done_at, True)
    assert await here.spoken(chat.conversation) == [("Ann", "hello again")]
    assert len([path async for path, told in here.documents() if "me again" in told]) > 0


async def test_one_that_the_database_does_not_know_is_due_from_the_beginning(here: LeavingTown) -> None:
    await talk(here)
    asked = await here.deletion(await here.asked())
    await here.chats.client.document(f"erasures/{asked.id}").delete()
    await keep_deletions(here.deleter(), [evolve(asked, cut=here.now())])
    assert (await here.deletion(asked.id)).due_at is not None
    assert await erase_again(here.deleter()) == {"erased": 1}
    assert await here.where(MARK) == []
    assert (await here.deletion(asked.id)).round == 2, "the deployment looks once more"


async def test_one_that_somebody_holds_up_is_left_to_the_sweep(here: LeavingTown) -> None:
    await talk(here)
    name = await here.asked()
    await here.chats.claim(await here.chats.see(ROOM), Lease(owner="a tick", until=here.now() + timedelta(minutes=5)))
    assert await erase_again(here.deleter()) == {"left": 1}
    assert (await here.deletion(name)).due_at is not None


async def test_of_a_database_that_is_lost_the_list_outside_tells_who_was_forgotten(here: LeavingTown) -> None:
    await talk(here)
    backup = await here.backup()
    await here.forgets()
    assert await here.where(MARK) == []
    await here.brings_back(backup)
    assert await here.where(MARK) != []
    told = [read_deletion(await here.register.get(name)) for name in await here.register.names()]
    await keep_deletions(here.deleter(), told)
    assert await erase_again(here.deleter()) == {"erased": 1}
    assert await here.where(MARK) == []
