"""The timetable: runs each job at its scheduled times, unless the job is paused, and on request. The scheduled runs of
a job never overlap.
"""

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from infra.schedules import ScheduleEntry
from local.scheduler.calls import Attempt, Caller

#: the longest sleep in seconds. It is short since in the meantime the machine's clock may be changed, or the machine
#: itself may sleep
NAP_S = 30.0


def _now() -> datetime:
    return datetime.now(UTC)


class Timetable:
    """Runs jobs at their scheduled times and on request. Stores which jobs are paused, and each job's latest
    attempt.
    """

    def __init__(self, jobs: Iterable[ScheduleEntry], caller: Caller, clock: Callable[[], datetime] = _now) -> None:
        """Create a timetable. `keep` starts it."""
        self.jobs = {job.name: job for job in jobs}
        self.paused: set[str] = set()
        self.latest: dict[str, Attempt] = {}
        self._caller, self._clock = caller, clock

    async def keep(self) -> None:
        """Run the jobs at their scheduled times, until cancelled."""
        async with asyncio.TaskGroup() as group:
            for job in self.jobs.values():
                group.create_task(self._keep(job))

    async def run_now(self, job: ScheduleEntry, deliveries: int = 1) -> list[Attempt]:
        """Call a job's function now, and return the attempts. The function is called `deliveries` times at once, always
        for the same run.

        More than one call simulates that Cloud Scheduler may deliver a run more than once.
        """
        scheduled = self._clock()
        calls = (self._caller.call(job, scheduled) for _ in range(deliveries))
        attempts = list(await asyncio.gather(*calls))
        self.latest[job.name] = attempts[-1]
        return attempts

    def next_run(self, job: ScheduleEntry) -> datetime | None:
        """Return when a job runs next, or None while it is paused."""
        return None if job.name in self.paused else job.next_after(self._clock())

    async def _keep(self, job: ScheduleEntry) -> None:
        while True:
            scheduled = job.next_after(self._clock())
            await self._until(scheduled)
            if job.name not in self.paused:
                async for attempt in self._caller.run(job, scheduled):
                    self.latest[job.name] = attempt

    async def _until(self, moment: datetime) -> None:
        while True:
            left_s = (moment - self._clock()).total_seconds()
            if left_s <= 0:
                return
            await asyncio.sleep(min(left_s, NAP_S))
