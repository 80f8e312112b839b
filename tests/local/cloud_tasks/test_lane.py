import asyncio
import time

from local.cloud_tasks.lane import DueTimes
from local.cloud_tasks.queue import LocalQueue, QueueState
from local.cloud_tasks.rate import RateLimits
from tests.local.cloud_tasks.cloud import QUEUE


class Starts:
    """The tasks that a lane starts; each runs until `end` is called for it."""

    def __init__(self, queue: LocalQueue) -> None:
        self.names: list[str] = []
        self.at: list[float] = []
        self.refused: set[str] = set()
        self.running: dict[str, asyncio.Event] = {}
        self.jobs: dict[str, asyncio.Task[None]] = {}
        self._more = asyncio.Condition()
        self.lane = DueTimes(queue, self.start, time.time)

    def start(self, name: str) -> asyncio.Task[None] | None:
        """Start a task, unless the test holds it back."""
        if name in self.refused:
            return None
        self.names.append(name)
        self.at.append(time.time())
        self.running[name] = asyncio.Event()
        self.jobs[name] = asyncio.get_running_loop().create_task(self._run(name))
        return self.jobs[name]

    async def _run(self, name: str) -> None:
        async with self._more:
            self._more.notify_all()
        await self.running[name].wait()

    async def end(self, name: str) -> None:
        """End a task, and tell the lane."""
        self.running[name].set()
        await self.jobs[name]
        await asyncio.sleep(0)

    async def close(self) -> None:
        """End all tasks."""
        self.lane.close()
        for job in self.jobs.values():
            job.cancel()
        await asyncio.gather(*self.jobs.values(), return_exceptions=True)

    async def until(self, count: int) -> list[str]:
        """Wait until so many tasks were started, and name them."""
        async with asyncio.timeout(20), self._more:
            await self._more.wait_for(lambda: len(self.names) >= count)
        return self.names


def limited(per_second: float = 500, at_once: int = 1000) -> LocalQueue:
    """Make a queue with these limits."""
    limits = RateLimits(max_dispatches_per_second=per_second, max_concurrent_dispatches=at_once)
    return LocalQueue(name=QUEUE, rate_limits=limits)


async def test_what_is_due_goes_out_at_once_and_the_rest_in_the_order_of_its_time() -> None:
    starts, now = Starts(limited()), time.time()
    starts.lane.schedule("third", now + 0.4)
    starts.lane.schedule("second", now + 0.3)
    starts.lane.schedule("first", now)
    assert starts.names == ["first"]
    assert await starts.until(3) == ["first", "second", "third"]
    assert starts.at[1] >= now + 0.3
    assert starts.at[2] >= now + 0.4
    await starts.close()


async def test_a_task_scheduled_again_goes_out_at_its_new_time_only() -> None:
    starts, now = Starts(limited()), time.time()
    starts.lane.schedule("a", now + 60)
    starts.lane.schedule("b", now + 60)
    starts.lane.schedule("a", now)
    starts.lane.schedule("b", now + 0.05)
    assert await starts.until(2) == ["a", "b"]
    starts.lane.schedule("c", now)
    assert await starts.until(3) == ["a", "b", "c"]
    await starts.close()


async def test_a_forgotten_task_does_not_go_out() -> None:
    starts, now = Starts(limited()), time.time()
    starts.lane.schedule("a", now + 0.2)
    starts.lane.schedule("b", now + 0.25)
    starts.lane.forget("a")
    starts.lane.forget("never scheduled")
    assert await starts.until(1) == ["b"]
    starts.lane.schedule("c", time.time() + 60)
    starts.lane.clear()
    starts.lane.schedule("d", now)
    assert starts.names == ["b", "d"]
    await starts.close()


async def test_no_more_run_at_once_than_allowed() -> None:
    starts, now = Starts(limited(at_once=2)), time.time()
    for name in ("a", "b", "c", "d"):
        starts.lane.schedule(name, now)
    assert starts.names == ["a", "b"]
    await starts.end("a")
    assert starts.names == ["a", "b", "c"]
    starts.lane.reconfigure(limited(at_once=5))
    assert starts.names == ["a", "b", "c", "d"]
    await starts.close()


async def test_after_the_burst_they_go_out_at_the_rate() -> None:
    starts, now = Starts(limited(per_second=20)), time.time()
    for number in range(24):
        starts.lane.schedule(f"{number:02d}", now)
    await starts.until(24)
    assert starts.at[23] - now >= 4 / 20 - 0.001  # by the lane's clock: later is right, earlier is not
    await starts.close()


async def test_a_paused_queue_lets_nothing_out_until_it_is_resumed() -> None:
    paused = LocalQueue(name=QUEUE, state=QueueState.PAUSED)
    starts = Starts(paused)
    starts.lane.schedule("a", time.time())
    assert starts.names == []
    starts.lane.reconfigure(LocalQueue(name=QUEUE))
    assert starts.names == ["a"]
    await starts.close()


async def test_a_task_held_back_spends_nothing() -> None:
    starts = Starts(limited(per_second=1, at_once=10))
    starts.refused = {f"held-{number}" for number in range(50)}
    for name in starts.refused:
        starts.lane.schedule(name, time.time())
    for number in range(10):
        starts.lane.schedule(f"free-{number}", time.time())
    assert len(starts.names) == 10
    await starts.close()


async def test_a_closed_lane_lets_nothing_out() -> None:
    starts = Starts(limited(at_once=1))
    starts.lane.schedule("a", time.time())
    starts.lane.schedule("b", time.time())
    starts.lane.close()
    await starts.end("a")
    assert starts.names == ["a"]
    await starts.close()


async def test_many_tasks_made_and_deleted_leave_nothing_behind() -> None:
    starts, far = Starts(limited()), time.time() + 3600
    for number in range(5000):
        starts.lane.schedule(str(number), far)
        starts.lane.forget(str(number))
    starts.lane.schedule("a", time.time())
    assert starts.names == ["a"]
    await starts.close()
