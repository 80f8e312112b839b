"""A lane's queue, as whoever runs a project may treat it: paused, purged, resumed."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx

#: on a machine that stalls for seconds a kept connection is closed by the server just as it is used again
UNKEPT = httpx.Limits(max_keepalive_connections=0)


@dataclass(frozen=True)
class Queue:
    """A queue of the local Cloud Tasks; `control` passes no relay."""

    name: str
    control: httpx.AsyncClient

    async def is_empty(self) -> bool:
        """Whether no task waits or runs."""
        return not (await self.control.get("/tasks", params={"queue": self.name})).raise_for_status().json()["tasks"]

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Tasks are taken, and go out only after the block."""
        await self._do("pause")
        try:
            yield
        finally:
            await self._do("resume")

    async def due(self) -> list[str]:
        """The names of the tasks whose time has come and that do not run."""
        tasks = (await self.control.get("/tasks", params={"queue": self.name})).raise_for_status().json()["tasks"]
        return [task["name"] for task in tasks if task["state"] == "scheduled" and task["schedule_at"] <= time.time()]

    async def run(self, task: str) -> None:
        """Have a task tried now, though the queue is paused; one that is gone meanwhile is not missed."""
        answer = await self.control.post(f"/v2/{task}:run", json={})
        if answer.status_code != httpx.codes.NOT_FOUND:
            answer.raise_for_status()

    async def purge(self) -> None:
        """Lose every task that waits."""
        await self._do("purge")

    async def _do(self, verb: str) -> None:
        (await self.control.post(f"/v2/{self.name}:{verb}", json={})).raise_for_status()


@dataclass(frozen=True)
class Queues:
    """A lane's: that of its ticks, that of the files that are to be described, and that for which nobody waits."""

    ticks: Queue
    media: Queue
    background: Queue

    async def are_empty(self) -> bool:
        """Whether no task waits or runs: a tick has files described, and these wake a tick; what runs in the background
        wakes none.
        """
        waking = (self.ticks, self.media, self.ticks)
        return all([await queue.is_empty() for queue in (*waking, self.background)])


@asynccontextmanager
async def new_queue(control_url: str, name: str) -> AsyncIterator[Queue]:
    """A queue with a new queue's limits and retries, for the length of the block."""
    async with httpx.AsyncClient(base_url=control_url, timeout=60, limits=UNKEPT, trust_env=False) as control:
        made = await control.post(f"/v2/{name.rpartition('/queues/')[0]}/queues", json={"name": name})
        made.raise_for_status()
        yield Queue(name, control)
