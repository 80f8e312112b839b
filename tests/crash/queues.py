"""The queue of a lane, which can be paused, purged and resumed as an operator may do."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx

#: no connection is reused: on a slow machine the server may close it at that moment
UNKEPT = httpx.Limits(max_keepalive_connections=0)


@dataclass(frozen=True)
class Queue:
    """A queue of the local Cloud Tasks. `control` bypasses the relays."""

    name: str
    control: httpx.AsyncClient

    async def is_empty(self) -> bool:
        """Return whether no task waits or runs."""
        return not (await self.control.get("/tasks", params={"queue": self.name})).raise_for_status().json()["tasks"]

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Accept tasks, but dispatch them only after the block."""
        await self._do("pause")
        try:
            yield
        finally:
            await self._do("resume")

    async def due(self) -> list[str]:
        """Return the names of due tasks that do not run."""
        tasks = (await self.control.get("/tasks", params={"queue": self.name})).raise_for_status().json()["tasks"]
        return [task["name"] for task in tasks if task["state"] == "scheduled" and task["schedule_at"] <= time.time()]

    async def run(self, task: str) -> None:
        """Run a task now although the queue is paused; ignore a task that is gone."""
        answer = await self.control.post(f"/v2/{task}:run", json={})
        if answer.status_code != httpx.codes.NOT_FOUND:
            answer.raise_for_status()

    async def purge(self) -> None:
        """Delete every waiting task."""
        await self._do("purge")

    async def _do(self, verb: str) -> None:
        (await self.control.post(f"/v2/{self.name}:{verb}", json={})).raise_for_status()


@dataclass(frozen=True)
class Queues:
    """The queues of a lane: for ticks, for descriptions of files, and for background work."""

    ticks: Queue
    media: Queue
    background: Queue

    async def are_empty(self) -> bool:
        """Return whether no task waits or runs. Ticks start descriptions, which wake ticks; background work
        wakes none.
        """
        waking = (self.ticks, self.media, self.ticks)
        return all([await queue.is_empty() for queue in (*waking, self.background)])


@asynccontextmanager
async def new_queue(control_url: str, name: str) -> AsyncIterator[Queue]:
    """Yield a queue with default limits and retries while the block runs."""
    async with httpx.AsyncClient(base_url=control_url, timeout=60, limits=UNKEPT, trust_env=False) as control:
        made = await control.post(f"/v2/{name.rpartition('/queues/')[0]}/queues", json={"name": name})
        made.raise_for_status()
        yield Queue(name, control)
