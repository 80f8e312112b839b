"""The JSON face, through the official client's REST transport and with plain requests."""

import asyncio
import base64

import httpx
import pytest
from google.api_core.exceptions import BadRequest, Conflict, NotFound
from google.auth.credentials import AnonymousCredentials
from google.cloud.tasks_v2 import CloudTasksClient
from google.cloud.tasks_v2.services.cloud_tasks.transports.rest import CloudTasksRestTransport
from google.cloud.tasks_v2.types import HttpRequest, ListTasksRequest, Queue, Task
from google.protobuf.field_mask_pb2 import FieldMask

from tests.local.cloud_tasks.cloud import LOCATION, QUEUE, Cloud
from tests.local.cloud_tasks.task_handler import TaskHandler

NOWHERE = "http://127.0.0.1:1/"


def all_calls(control_url: str) -> None:
    """Make every supported call over REST."""
    host = control_url.removeprefix("http://")
    credentials = AnonymousCredentials()  # type: ignore[no-untyped-call]
    transport = CloudTasksRestTransport(host=host, credentials=credentials, url_scheme="http")
    with CloudTasksClient(transport=transport) as client:
        _queue_calls(client)
        _task_calls(client)


def _queue_calls(client: CloudTasksClient) -> None:
    name = f"{LOCATION}/queues/media"
    client.create_queue(parent=LOCATION, queue=Queue(name=name, retry_config={"max_attempts": 7}))
    assert [queue.name for queue in client.list_queues(parent=LOCATION)] == [name, QUEUE]
    mask = FieldMask(paths=["rate_limits.max_concurrent_dispatches"])
    client.update_queue(queue=Queue(name=name, rate_limits={"max_concurrent_dispatches": 3}), update_mask=mask)
    queue = client.get_queue(name=name)
    assert (queue.retry_config.max_attempts, queue.rate_limits.max_concurrent_dispatches) == (7, 3)
    assert client.pause_queue(name=name).state == Queue.State.PAUSED
    assert client.resume_queue(name=name).state == Queue.State.RUNNING
    client.purge_queue(name=name)
    client.delete_queue(name=name)
    with pytest.raises(NotFound, match="Queue does not exist"):
        client.get_queue(name=name)


def _task_calls(client: CloudTasksClient) -> None:
    client.pause_queue(name=QUEUE)
    names = [f"{QUEUE}/tasks/{task_id}" for task_id in ("a", "b", "c")]
    for name in names:
        client.create_task(parent=QUEUE, task=Task(name=name, http_request=HttpRequest(url=NOWHERE, body=b"hi")))
    with pytest.raises(Conflict, match="Requested entity already exists"):
        client.create_task(parent=QUEUE, task=Task(name=names[0], http_request=HttpRequest(url=NOWHERE)))
    assert client.get_task(name=names[0]).http_request.body == b""
    full = client.get_task(request={"name": names[0], "response_view": Task.View.FULL})
    assert full.http_request.body == b"hi"
    assert [task.name for task in client.list_tasks(request=ListTasksRequest(parent=QUEUE, page_size=2))] == names
    client.delete_task(name=names[1])
    assert client.run_task(name=names[2]).dispatch_count == 1
    with pytest.raises(BadRequest, match="Task ID"):
        client.get_task(name=f"{QUEUE}/tasks/a.b")


async def test_the_official_client_over_rest(cloud: Cloud) -> None:
    await asyncio.to_thread(all_calls, cloud.running.control_url)


async def test_a_plain_post_creates_a_task(cloud: Cloud, handler: TaskHandler) -> None:
    body = base64.b64encode(b"hi").decode()
    task = {"name": f"{QUEUE}/tasks/a", "httpRequest": {"url": handler.url, "body": body, "httpMethod": "PUT"}}
    async with httpx.AsyncClient(base_url=cloud.running.control_url, trust_env=False) as client:
        made = await client.post(f"/v2/{QUEUE}/tasks", json={"task": task})
        again = await client.post(f"/v2/{QUEUE}/tasks", json={"task": task})
    assert (made.status_code, made.json()["name"]) == (200, task["name"])
    assert (again.status_code, again.json()["error"]["status"]) == (409, "ALREADY_EXISTS")
    [received] = await handler.wait_for(1)
    assert (received.method, received.body) == ("PUT", b"hi")


@pytest.mark.parametrize("body", ["no json", "[]", '{"task": {"colour": 1}}', '{"task": 7}'])
async def test_a_body_that_is_no_request_is_refused(cloud: Cloud, body: str) -> None:
    answer = await _post(cloud, f"/v2/{QUEUE}/tasks", body)
    assert (answer.status_code, answer.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")


async def _post(cloud: Cloud, path: str, body: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=cloud.running.control_url, trust_env=False) as client:
        return await client.post(path, content=body)
