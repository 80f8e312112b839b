import asyncio

from local.telegram.events import EventLog


def types(log: EventLog, after: int) -> list[str]:
    return [event["type"] for event in log.after(after)]


def log_of(*names: str, first: int = 0, capacity: int = 100) -> EventLog:
    log = EventLog(first, capacity)
    for name in names:
        log.add(name)
    return log


def test_events_are_numbered_and_read_after_a_number() -> None:
    log = log_of("a", "b", "c")
    assert [(event["seq"], event["type"]) for event in log.after(1)] == [(2, "b"), (3, "c")]
    assert log.after(3) == []


def test_whoever_missed_events_is_told_to_read_the_world_anew() -> None:
    log = log_of("a", "b", "c", "d", capacity=2)
    assert types(log, 2) == ["c", "d"]
    assert types(log, 1) == ["reset", "c", "d"]
    assert types(log_of("e", first=50), 10) == ["reset", "e"]


def test_a_number_from_the_future_is_a_gap_too() -> None:
    assert types(log_of("a", "b"), 99) == ["reset"]


async def test_a_follower_gets_what_was_and_what_comes() -> None:
    log = log_of("a")
    task = asyncio.create_task(_first(log, 3))
    await asyncio.sleep(0)
    log.add("b")
    await asyncio.sleep(0)
    log.add("c")
    assert await task == ["a", "b", "c"]


async def _first(log: EventLog, count: int) -> list[str]:
    got: list[str] = []
    async for event in log.follow(0):
        got += [event["type"]] if event is not None else []
        if len(got) == count:
            break
    return got


async def test_a_closed_log_lets_its_followers_go() -> None:
    log = log_of()
    tasks = [asyncio.create_task(_drain(log)) for _ in range(3)]
    await asyncio.sleep(0)
    log.close()
    await asyncio.gather(*tasks)


async def _drain(log: EventLog) -> None:
    async for _ in log.follow(0):
        pass


async def test_a_follower_gets_what_happened_just_before_the_close() -> None:
    log = log_of()
    task = asyncio.create_task(_all(log))
    await asyncio.sleep(0)
    log.add("delivered")
    log.close()
    assert await task == ["delivered"]


async def _all(log: EventLog) -> list[str]:
    return [event["type"] async for event in log.follow(0) if event is not None]
