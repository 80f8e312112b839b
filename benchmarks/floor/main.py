"""The floor of the webhook: a bare function that makes the webhook's three backend calls with constant data, and does
nothing else.
"""

import itertools
import os
from datetime import UTC, datetime
from functools import cache

import functions_framework.aio
import grpc
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.tasks_v2.services.cloud_tasks import CloudTasksAsyncClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport
from google.cloud.tasks_v2.types import HttpMethod, HttpRequest, Task
from google.protobuf.timestamp_pb2 import Timestamp
from starlette.requests import Request
from starlette.responses import Response

RUN = f"{os.getpid()}-{datetime.now(UTC).timestamp():.0f}"
numbers = itertools.count()


@cache
def clients() -> tuple[AsyncClient, CloudTasksAsyncClient]:
    """Return the clients, made once inside the running loop."""
    channel = grpc.aio.insecure_channel(os.environ["CLOUD_TASKS_ENDPOINT"])
    tasks = CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))
    return AsyncClient(project=os.environ["GOOGLE_CLOUD_PROJECT"]), tasks


@functions_framework.aio.http
async def floor(request: Request) -> Response:
    """Create a document, read a document, and create a task with a name."""
    if request.method == "GET":
        return Response("ok")
    firestore, tasks = clients()
    number = next(numbers)
    await request.body()
    chat = firestore.collection("floor").document(f"chat-{number % 20}")
    await chat.collection("inbox").document(f"{RUN}-{number}").create({"raw": "x" * 300, "read": False})
    await chat.get()
    due = Timestamp()
    due.FromDatetime(datetime.now(UTC))
    queue = os.environ["LULL_QUEUE"]
    call = HttpRequest(url=os.environ["LULL_TICK_URL"], http_method=HttpMethod.POST, body=b"{}")
    await tasks.create_task(
        parent=queue, task=Task(name=f"{queue}/tasks/floor-{RUN}-{number}", http_request=call, schedule_time=due)
    )
    return Response()
