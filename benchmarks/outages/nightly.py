"""Scheduled jobs, fired again and again while something fails and until they are stopped: the nightly one, which
archives, and the sweep, which has files looked after that were not described, and conversations noted that rest.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import httpx

from benchmarks.kept import Kept, kept_of
from benchmarks.town import Town
from local.parts import ARCHIVE_BUCKET

#: from the end of one run to the next; Cloud Scheduler fires them every quarter of an hour, and every five minutes
EVERY_S = 5.0


@dataclass(frozen=True)
class Nightly:
    """What the archiving runs stored."""

    kept: Kept

    async def missing(self) -> int:
        """How many conversations are not in the archive as they are in their transcripts."""
        return len(await self.kept.unarchived())


@asynccontextmanager
async def nightly(place: Town) -> AsyncIterator[Nightly]:
    """The job of a town, fired until the block ends."""
    async with kept_of(place.cloud, place.cloud.project, ARCHIVE_BUCKET) as kept, fired(place, "archive"):
        yield Nightly(kept)


@asynccontextmanager
async def looked_after(place: Town) -> AsyncIterator[None]:
    """The sweep, which has files described that were not, and noted what rests, fired until the block ends."""
    async with fired(place, "sweep"):
        yield


@asynccontextmanager
async def fired(place: Town, job: str) -> AsyncIterator[None]:
    """A scheduled job, fired until the block ends, whatever comes of it."""
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
