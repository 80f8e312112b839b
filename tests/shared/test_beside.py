"""Work beside a block ends with it, and its errors end the block."""

import asyncio

import pytest

from shared.base.beside import beside, to_its_end
from shared.base.errors import LeaseLost


async def for_ever(ended: list[str]) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        ended.append("work")


async def fail() -> None:
    await asyncio.sleep(0)
    raise LeaseLost("it is another's")


async def test_the_work_ends_with_the_block() -> None:
    ended = list[str]()
    async with beside(for_ever(ended)):
        await asyncio.sleep(0)
        assert ended == []
    assert ended == ["work"]


async def test_the_block_goes_on_when_the_work_is_done() -> None:
    async with beside(asyncio.sleep(0)):
        await asyncio.sleep(0)
        await asyncio.sleep(0)


async def test_an_error_of_the_block_is_raised_as_it_is() -> None:
    ended = list[str]()

    async def run() -> None:
        async with beside(for_ever(ended)):
            await asyncio.sleep(0)
            raise KeyError("x")

    with pytest.raises(KeyError, match="x"):
        await run()
    assert ended == ["work"]


async def test_an_error_of_the_work_cancels_the_block() -> None:
    ended = list[str]()

    async def run() -> None:
        async with beside(fail()):
            await for_ever(ended)

    with pytest.raises(LeaseLost):
        await run()
    assert ended == ["work"]


async def test_the_error_of_the_work_comes_before_one_that_follows_from_it() -> None:
    async def run() -> None:
        async with beside(fail()):
            try:
                await asyncio.Event().wait()
            finally:
                raise KeyError("cleaning up")

    with pytest.raises(LeaseLost):
        await run()


async def test_an_error_of_the_block_keeps_its_cause() -> None:
    async def run() -> None:
        async with beside(for_ever([])):
            raise LeaseLost("it is another's") from KeyError("x")

    with pytest.raises(LeaseLost) as raised:
        await run()
    assert isinstance(raised.value.__cause__, KeyError)


async def test_a_block_waits_for_a_step_that_is_not_to_be_left_half_done() -> None:
    ended, begun = list[str](), asyncio.Event()

    async def step() -> None:
        begun.set()
        await asyncio.sleep(0.01)
        ended.append("step")

    async with beside(to_its_end(step())):
        await begun.wait()
    assert ended == ["step"]


async def test_a_block_that_fails_waits_for_such_a_step_too() -> None:
    ended, begun = list[str](), asyncio.Event()

    async def step() -> None:
        begun.set()
        await asyncio.sleep(0.01)
        ended.append("step")

    async def run() -> None:
        async with beside(to_its_end(step())):
            await begun.wait()
            raise KeyError("x")

    with pytest.raises(KeyError):
        await run()
    assert ended == ["step"]


async def test_an_error_of_a_step_that_a_block_waits_for_is_raised() -> None:
    begun = asyncio.Event()

    async def step() -> None:
        begun.set()
        await asyncio.sleep(0.01)
        raise LeaseLost("it is another's")

    with pytest.raises(LeaseLost):
        async with beside(to_its_end(step())):
            await begun.wait()


async def test_a_cancellation_from_outside_is_one() -> None:
    ended = list[str]()

    async def run() -> None:
        async with beside(for_ever(ended)):
            await asyncio.Event().wait()

    task = asyncio.create_task(run())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["work"]
