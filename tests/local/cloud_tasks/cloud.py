"""A running local Cloud Tasks for tests: the official client, the control API, and shortcuts for both."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import httpx
from google.cloud.tasks_v2 import CloudTasksAsyncClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport
from google.cloud.tasks_v2.types import Queue, Task
from google.protobuf.field_mask_pb2 import FieldMask

from local.cloud_tasks.server import RunningServer, ServerSettings, serve

LOCATION = "projects/lull-local/locations/europe-west1"
QUEUE = f"{LOCATION}/queues/ticks"


class Cloud:
    """One server, its client and its control API."""

    def __init__(self, running: RunningServer, client: CloudTasksAsyncClient, control: httpx.AsyncClient) -> None:
        self.running = running
        self.client = client
        self.control = control

    async def create(self, url: str, task_id: str = "", **fields: Any) -> Task:
        """Create a task that POSTs to `url` after a delay in seconds; `http` has `body`, `headers` and so on."""
        http = {"url": url, **fields.pop("http", {})}
        task: dict[str, Any] = {"http_request": http, **fields}
        if task_id:
            task["name"] = f"{QUEUE}/tasks/{task_id}"
        if "after" in task:
            task["schedule_time"] = datetime.now(UTC) + timedelta(seconds=task.pop("after"))
        return await self.client.create_task(parent=QUEUE, task=Task(task))

    async def configure(self, **fields: Any) -> Queue:
        """Update these fields of the queue."""
        return await self.client.update_queue(
            queue=Queue(name=QUEUE, **fields), update_mask=FieldMask(paths=list(fields))
        )

    async def get(self, path: str, **query: Any) -> Any:
        """Send a GET to the control API, which must succeed."""
        answer = await self.control.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: Any = None) -> httpx.Response:
        """Send a POST to the control API."""
        return await self.control.post(path, json=body)

    async def fault(self, kind: str, **fields: Any) -> None:
        """Switch a fault on."""
        answer = await self.post("/faults", {"kind": kind, **fields})
        assert answer.status_code == 200, answer.text

    async def clear_faults(self) -> None:
        """Switch all faults off."""
        assert (await self.control.delete("/faults")).status_code == 200

    async def tasks(self) -> list[dict[str, Any]]:
        """List all tasks in the form of the control API."""
        found: list[dict[str, Any]] = (await self.get("/tasks"))["tasks"]
        return found

    async def dispatches(self, count: int) -> list[dict[str, Any]]:
        """Wait until so many attempts have ended, and list all of them."""
        found: list[dict[str, Any]] = []
        async with asyncio.timeout(20):
            while len(found) < count:
                found += (await self.get("/dispatches", after=len(found), wait=5))["dispatches"]
        return found

    async def drained(self) -> None:
        """Wait until no task is left."""
        async with asyncio.timeout(20):
            ended = 0
            while await self.tasks():
                ended += len((await self.get("/dispatches", after=ended, wait=1))["dispatches"])


@asynccontextmanager
async def reach(running: RunningServer) -> AsyncIterator[Cloud]:
    """Make a client of a running server."""
    async with (
        grpc.aio.insecure_channel(running.address) as channel,
        httpx.AsyncClient(base_url=running.control_url, timeout=30, trust_env=False) as control,
    ):
        client = CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))
        yield Cloud(running, client, control)


@asynccontextmanager
async def local_cloud(settings: ServerSettings | None = None) -> AsyncIterator[Cloud]:
    """Run a server with one queue in this process, and give its client."""
    async with serve(settings or ServerSettings(queues=(QUEUE,))) as running, reach(running) as cloud:
        yield cloud
