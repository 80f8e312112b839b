"""The timetable runs jobs at their times or on request, one run of a job at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import httpx

from local.scheduler.calls import Caller
from local.scheduler.timetable import Timetable
from tests.infra.test_schedules import job
from tests.local.cloud_tasks.task_handler import Answer, TaskHandler

EVERY_MINUTE = job(schedule="* * * * *")


class Shifted:
    """A clock that starts at another time and runs like the real one."""

    def __init__(self, start: datetime) -> None:
        self._ahead = start - datetime.now(UTC)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self._ahead


@asynccontextmanager
async def kept(function: TaskHandler, *, paused: bool = False) -> AsyncIterator[Timetable]:
    """Run a timetable whose clock starts just before a full minute."""
    async with httpx.AsyncClient(timeout=None, trust_env=False) as client:
        clock = Shifted(datetime(2026, 3, 1, 12, 4, 59, 800_000, tzinfo=UTC))
        caller = Caller(client=client, urls={"summarize": function.url}, first_pause_s=0.05)
        timetable = Timetable([EVERY_MINUTE], caller, clock)
        timetable.paused.update([EVERY_MINUTE.name] if paused else [])
        keeping = asyncio.create_task(timetable.keep())
        yield timetable
        keeping.cancel()


async def test_a_job_runs_at_its_moment(function: TaskHandler) -> None:
    async with kept(function) as timetable:
        (received,) = await function.wait_for(1)
        assert received.headers["x-cloudscheduler-scheduletime"] == "2026-03-01T12:05:00Z"
        assert timetable.next_run(EVERY_MINUTE) == datetime(2026, 3, 1, 12, 6, tzinfo=UTC)


async def test_a_paused_job_runs_only_when_asked(function: TaskHandler) -> None:
    async with kept(function, paused=True) as timetable:
        assert timetable.next_run(EVERY_MINUTE) is None
        (attempt,) = await timetable.run_now(EVERY_MINUTE)
        assert attempt.status == 200
        assert timetable.latest == {"sweep": attempt}
        await asyncio.sleep(0.5)  # the time of the run passes
    assert len(function.received) == 1


async def test_a_run_may_be_delivered_several_times_at_once(function: TaskHandler) -> None:
    gate = asyncio.Event()
    function.usual = Answer(held=gate)
    async with kept(function, paused=True) as timetable:
        running = asyncio.create_task(timetable.run_now(EVERY_MINUTE, deliveries=3))
        received = await function.wait_for(3)
        assert function.under_way == 3
        gate.set()
        assert [attempt.status for attempt in await running] == [200, 200, 200]
    assert len({r.headers["x-cloudscheduler-scheduletime"] for r in received}) == 1


async def test_what_somebody_asks_for_twice_are_two_runs(function: TaskHandler) -> None:
    async with kept(function, paused=True) as timetable:
        for _ in range(2):
            await timetable.run_now(EVERY_MINUTE)
    assert len({r.headers["x-cloudscheduler-scheduletime"] for r in function.received}) == 2
