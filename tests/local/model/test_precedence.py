import asyncio

from local.model.precedence import Precedence


async def test_callers_come_in_their_order_and_before_what_can_wait() -> None:
    precedence, order = Precedence(), []
    holds = asyncio.Event()

    async def call(name: str) -> None:
        async with precedence.caller():
            order.append(name)
            await holds.wait()

    async def wait_for_it() -> None:
        async with precedence.in_the_meantime():
            order.append("what can wait")

    waiting = [asyncio.create_task(call("Ann"))]
    await asyncio.sleep(0)
    waiting += [asyncio.create_task(wait_for_it()), asyncio.create_task(call("Bob")), asyncio.create_task(call("Eva"))]
    for _ in range(5):
        await asyncio.sleep(0)
    assert order == ["Ann"]
    holds.set()
    await asyncio.gather(*waiting)
    assert order == ["Ann", "Bob", "Eva", "what can wait"]


async def test_a_caller_waits_for_one_step_of_what_can_wait() -> None:
    precedence, order = Precedence(), []
    goes_on = asyncio.Event()

    async def steps() -> None:
        for number in range(3):
            async with precedence.in_the_meantime():
                order.append(str(number))
                await goes_on.wait()

    async def call() -> None:
        async with precedence.caller():
            order.append("Ann")

    working = asyncio.create_task(steps())
    await asyncio.sleep(0)
    calling = asyncio.create_task(call())
    await asyncio.sleep(0)
    goes_on.set()
    await asyncio.gather(calling, working)
    assert order == ["0", "Ann", "1", "2"]


async def test_a_caller_who_leaves_the_queue_holds_nobody_up() -> None:
    precedence = Precedence()

    async def call() -> None:
        async with precedence.caller():
            raise AssertionError("it never got its turn")

    async with precedence.caller():
        leaving = asyncio.create_task(call())
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.wait({leaving})
    async with precedence.in_the_meantime():
        assert leaving.cancelled()
