"""Scheduled jobs that are started repeatedly during an outage: the nightly archiving, and the sweep. The sweep starts
the description of leftover files and the notes on resting conversations.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import httpx

from benchmarks.kept import Kept, kept_of
from benchmarks.town import Town
from local.parts import ARCHIVE_BUCKET

#: seconds from the end of one run to the start of the next. Cloud Scheduler starts these jobs every 15 and every 5
#: minutes
EVERY_S = 5.0


@dataclass(frozen=True)
class Nightly:
    """The archive that the runs of the archiving job have written."""

    kept: Kept

    async def missing(self) -> int:
        """Return how many conversations are missing in the archive or differ from their transcripts."""
        return len(await self.kept.archive_gaps())


@asynccontextmanager
async def nightly(place: Town) -> AsyncIterator[Nightly]:
    """Run the archiving job repeatedly while the block runs."""
    async with kept_of(place.cloud, place.cloud.project, ARCHIVE_BUCKET) as kept, keep_firing_job(place, "archive"):
        yield Nightly(kept)


@asynccontextmanager
async def looked_after(place: Town) -> AsyncIterator[None]:
    """Run the sweep repeatedly while the block runs, so that leftover work is done."""
    async with keep_firing_job(place, "sweep"):
        yield


@asynccontextmanager
async def keep_firing_job(place: Town, job: str) -> AsyncIterator[None]:
    """Run a scheduled job repeatedly while the block runs, whether its runs succeed or fail."""
    async with httpx.AsyncClient(base_url=place.cloud.scheduler_url, timeout=None, trust_env=False) as scheduler:

        async def keep_firing() -> None:
            while True:
                (await scheduler.post(f"/jobs/{job}:run")).raise_for_status()
                await asyncio.sleep(EVERY_S)

        firing = asyncio.create_task(keep_firing())
        try:
            yield
        finally:
            firing.cancel()
            with suppress(asyncio.CancelledError):
                await firing
