"""The nightly job, fired again and again while something fails and until it is stopped."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import httpx

from benchmarks.kept import Kept, kept_of
from benchmarks.town import Town
from local.parts import ARCHIVE_BUCKET

#: from the end of one run to the next; Cloud Scheduler fires it every quarter of an hour
EVERY_S = 5.0


@dataclass(frozen=True)
class Nightly:
    """What the runs came to, by status (None: there was no answer), and what they stored."""

    kept: Kept
    statuses: Counter[int | None] = field(default_factory=Counter)

    async def fire(self, scheduler: httpx.AsyncClient) -> None:
        """One run, as the scheduler calls it."""
        told = (await scheduler.post("/jobs/archive:run")).raise_for_status().json()
        self.statuses.update(attempt["status"] for attempt in told["attempts"])

    async def missing(self) -> int:
        """How many conversations are not in the archive as they are in their transcripts."""
        return len(await self.kept.unarchived())


@asynccontextmanager
async def nightly(place: Town) -> AsyncIterator[Nightly]:
    """The job of a town, fired until the block ends."""
    cloud = place.cloud
    async with (
        kept_of(cloud, cloud.project, ARCHIVE_BUCKET) as kept,
        httpx.AsyncClient(base_url=cloud.scheduler_url, timeout=None, trust_env=False) as scheduler,
    ):
        job = Nightly(kept)

        async def keep_firing() -> None:
            while True:
                await job.fire(scheduler)
                await asyncio.sleep(EVERY_S)

        firing = asyncio.create_task(keep_firing())
        try:
            yield job
        finally:
            firing.cancel()
            with suppress(asyncio.CancelledError):
                await firing
