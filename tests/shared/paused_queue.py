"""A paused queue of the local Cloud Tasks: enqueued tasks stay there to be read."""

import itertools
import os
from dataclasses import dataclass
from typing import Self

from google.cloud.tasks_v2 import CloudTasksAsyncClient, types
from google.cloud.tasks_v2.types import ListTasksRequest, Task

from shared.chat.queue import TickQueue
from shared.cloud.cloud_tasks import CloudTasks
from shared.values.wake import Queue, QueueAddress, Routes, Wake
from tests.shared.examples import WAKE

#: where its tasks would go
NOWHERE = "http://127.0.0.1:1/"

_numbers = itertools.count(1)


@dataclass(frozen=True)
class PausedQueue:
    """The queue's full name, the server's address, and an official client of it."""

    name: str
    address: str
    client: CloudTasksAsyncClient

    @classmethod
    async def make(cls, client: CloudTasksAsyncClient, location: str, address: str) -> Self:
        """Make a new paused queue."""
        name = f"{location}/queues/paused-{os.getpid()}-{next(_numbers)}"
        await client.create_queue(parent=location, queue=types.Queue(name=name))
        await client.pause_queue(name=name)
        return cls(name, address, client)

    def jobs(self, url: str = NOWHERE, *, invoker: str = "", missing: bool = False) -> CloudTasks:
        """Make its adapter, with the tick at a URL; with `missing`, for a queue that does not exist."""
        address = QueueAddress(name=f"{self.name}-gone" if missing else self.name, invoker=invoker)
        return CloudTasks(Routes(queues={Queue.TICKS: address}, functions={"tick": url}), self.address)

    def media_jobs(self) -> CloudTasks:
        """Make its adapter for files to describe."""
        return CloudTasks(
            Routes(queues={Queue.MEDIA: QueueAddress(name=self.name)}, functions={"describe_media": NOWHERE}),
            self.address,
        )

    def background_jobs(self) -> CloudTasks:
        """Make its adapter for jobs in the background."""
        return CloudTasks(
            Routes(queues={Queue.BACKGROUND: QueueAddress(name=self.name)}, functions={"summarize": NOWHERE}),
            self.address,
        )

    def erasing_jobs(self) -> CloudTasks:
        """Make its adapter for jobs that erase, note or describe: wakes, and their own calls."""
        queues = dict.fromkeys(Queue, QueueAddress(name=self.name))
        functions = dict.fromkeys(("tick", "erase", "summarize", "describe_media"), NOWHERE)
        return CloudTasks(Routes(queues=queues, functions=functions), self.address)

    def jobs_beside(self, files: Self) -> CloudTasks:
        """Make its adapter, with another queue for files to describe."""
        queues = {Queue.TICKS: QueueAddress(name=self.name), Queue.MEDIA: QueueAddress(name=files.name)}
        return CloudTasks(Routes(queues=queues, functions={"tick": NOWHERE, "describe_media": NOWHERE}), self.address)

    def ticks(self, url: str = NOWHERE, *, missing: bool = False) -> TickQueue:
        """Make its adapter for wakes."""
        return TickQueue(self.jobs(url, missing=missing))

    async def tasks(self) -> list[Task]:
        """List its tasks with their bodies, by due time."""
        request = ListTasksRequest(parent=self.name, response_view=Task.View.FULL)
        found = [task async for task in await self.client.list_tasks(request=request)]
        return sorted(found, key=lambda task: task.schedule_time)

    async def wakes(self) -> list[Wake]:
        """List the wakes of its tasks by due time; the server sets past times to now."""
        found = [WAKE.validate_json(task.http_request.body) for task in await self.tasks()]
        return sorted(found, key=lambda wake: wake.at)

    async def end(self, wake: Wake) -> None:
        """Delete the task of a wake as a success does: its name stays used."""
        await self.client.delete_task(name=f"{self.name}/tasks/{wake.name}")
