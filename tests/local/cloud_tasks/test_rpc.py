"""The gRPC interface, with the synchronous client and with calls that are not supported."""

import asyncio

import grpc
import pytest
from google.api_core.exceptions import AlreadyExists, MethodNotImplemented, ServiceUnavailable
from google.cloud.tasks_v2 import CloudTasksClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcTransport
from google.cloud.tasks_v2.types import GetCmekConfigRequest, HttpRequest, Task

from tests.local.cloud_tasks.cloud import LOCATION, QUEUE, Cloud
from tests.local.cloud_tasks.task_handler import TaskHandler


def create_twice(address: str, url: str) -> str:
    """Create a task twice with the synchronous client, and give the error message of the second call."""
    with grpc.insecure_channel(address) as channel:
        client = CloudTasksClient(transport=CloudTasksGrpcTransport(channel=channel))
        task = Task(name=f"{QUEUE}/tasks/a", http_request=HttpRequest(url=url))
        client.create_task(parent=QUEUE, task=task)
        with pytest.raises(AlreadyExists) as refused:
            client.create_task(parent=QUEUE, task=task)
        return str(refused.value.message)


async def test_the_synchronous_client_is_served_too(cloud: Cloud, handler: TaskHandler) -> None:
    sentence = await asyncio.to_thread(create_twice, cloud.running.address, handler.url)
    assert sentence
    assert [one.task for one in await handler.wait_for(1)] == ["a"]


async def test_what_is_not_served_says_so(cloud: Cloud) -> None:
    with pytest.raises(MethodNotImplemented):
        await cloud.client.get_cmek_config(request=GetCmekConfigRequest(name=f"{LOCATION}/cmekConfig"))


async def test_refuse_create_fails_the_next_creation_and_creates_nothing(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.fault("refuse_create", name_prefix="soon-")
    await cloud.create(handler.url, "later-1", after=60)
    with pytest.raises(ServiceUnavailable, match="a test asked to refuse"):
        await cloud.create(handler.url, "soon-1", after=60)
    assert [task["name"] for task in await cloud.tasks()] == [f"{QUEUE}/tasks/later-1"]
    await cloud.create(handler.url, "soon-1", after=60)
