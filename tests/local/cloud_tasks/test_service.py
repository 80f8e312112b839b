"""The calls of the API, through the official asynchronous client."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from google.api_core.exceptions import (
    AlreadyExists,
    FailedPrecondition,
    InvalidArgument,
    MethodNotImplemented,
    NotFound,
)
from google.cloud.tasks_v2.types import HttpRequest, ListTasksRequest, Queue, Task

from local.cloud_tasks.dispatcher import DispatchTimes
from local.cloud_tasks.server import ServerSettings
from tests.local.cloud_tasks.cloud import LOCATION, QUEUE, Cloud, local_cloud
from tests.local.cloud_tasks.task_handler import TaskHandler

NOWHERE = "http://127.0.0.1:1/"


async def test_a_created_task_can_be_read_listed_and_deleted(cloud: Cloud) -> None:
    made = await cloud.create(NOWHERE, "a", after=60, http={"body": b"secret"})
    assert made.name == f"{QUEUE}/tasks/a"
    assert made.http_request.body == b""
    assert await cloud.client.get_task(name=made.name) == made
    full = await cloud.client.get_task(request={"name": made.name, "response_view": Task.View.FULL})
    assert (full.http_request.body, full.view) == (b"secret", Task.View.FULL)
    assert [task.name async for task in await cloud.client.list_tasks(parent=QUEUE)] == [made.name]
    await cloud.client.delete_task(name=made.name)
    with pytest.raises(NotFound, match="no longer exists, though a task with this name existed recently"):
        await cloud.client.get_task(name=made.name)
    with pytest.raises(NotFound):
        await cloud.client.delete_task(name=made.name)


async def test_an_unnamed_task_gets_a_name(cloud: Cloud) -> None:
    made = await cloud.create(NOWHERE, after=60)
    assert made.name.startswith(f"{QUEUE}/tasks/")
    assert await cloud.client.get_task(name=made.name) == made


async def test_a_name_in_use_is_refused(cloud: Cloud) -> None:
    await cloud.create(NOWHERE, "a", after=60)
    with pytest.raises(AlreadyExists, match="Requested entity already exists"):
        await cloud.create(NOWHERE, "a", after=60)


async def test_an_executed_name_stays_taken(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.create(handler.url, "a")
    await cloud.dispatches(1)
    with pytest.raises(AlreadyExists, match="existed too recently"):
        await cloud.create(handler.url, "a")


async def test_an_executed_name_is_free_again_in_the_end(handler: TaskHandler) -> None:
    settings = ServerSettings(queues=(QUEUE,), pace=DispatchTimes(tombstone_seconds=0.4))
    async with local_cloud(settings) as cloud:
        await cloud.create(handler.url, "a")
        [ended] = await cloud.dispatches(1)
        again: Task | None = None
        while again is None:
            try:
                again = await cloud.create(handler.url, "a")
            except AlreadyExists:
                await asyncio.sleep(0.05)
        assert again.schedule_time.timestamp() >= ended["at"] + 0.4
        assert [one.task for one in await handler.wait_for(2)] == ["a", "a"]


async def test_a_deleted_and_a_purged_name_stay_taken(cloud: Cloud) -> None:
    await cloud.create(NOWHERE, "deleted", after=60)
    await cloud.create(NOWHERE, "purged", after=60)
    await cloud.client.delete_task(name=f"{QUEUE}/tasks/deleted")
    purged = await cloud.client.purge_queue(name=QUEUE)
    assert datetime.now(UTC) - purged.purge_time < timedelta(minutes=1)
    assert await cloud.tasks() == []
    for task_id in ("deleted", "purged"):
        with pytest.raises(AlreadyExists, match="existed too recently"):
            await cloud.create(NOWHERE, task_id)


async def test_a_hundred_creators_of_one_name_make_one_task(cloud: Cloud, handler: TaskHandler) -> None:
    made = await asyncio.gather(*(cloud.create(handler.url, "same") for _ in range(100)), return_exceptions=True)
    assert sum(isinstance(one, Task) for one in made) == 1
    assert sum(isinstance(one, AlreadyExists) for one in made) == 99
    await cloud.drained()
    assert len(handler.received) == 1


async def test_a_missing_task_and_a_missing_queue_are_told_apart(cloud: Cloud) -> None:
    with pytest.raises(NotFound, match="Requested entity was not found"):
        await cloud.client.get_task(name=f"{QUEUE}/tasks/never")
    with pytest.raises(NotFound, match="Queue does not exist"):
        await cloud.client.create_task(parent=f"{QUEUE}2", task=Task(http_request=HttpRequest(url=NOWHERE)))
    with pytest.raises(NotFound, match="Queue does not exist"):
        await cloud.client.list_tasks(parent=f"{QUEUE}2")
    with pytest.raises(NotFound, match="Requested entity was not found"):
        await cloud.client.delete_queue(name=f"{QUEUE}2")


async def test_a_wrong_task_is_an_invalid_argument(cloud: Cloud) -> None:
    with pytest.raises(InvalidArgument, match="can contain only letters"):
        await cloud.create(NOWHERE, "no spaces")
    with pytest.raises(InvalidArgument, match="too far in the future"):
        await cloud.create(NOWHERE, after=31 * 24 * 3600)
    with pytest.raises(InvalidArgument, match="Task size too large"):
        await cloud.create(NOWHERE, http={"body": b"x" * (1 << 20)})
    with pytest.raises(InvalidArgument, match="must be between"):
        await cloud.create(NOWHERE, dispatch_deadline=timedelta(seconds=14))
    assert await cloud.tasks() == []


async def test_a_list_of_tasks_is_paged(cloud: Cloud) -> None:
    for number in range(7):
        await cloud.create(NOWHERE, f"t{number}", after=60, http={"body": b"b"})
    request = ListTasksRequest(parent=QUEUE, page_size=3, response_view=Task.View.FULL)
    pages = [page async for page in (await cloud.client.list_tasks(request=request)).pages]
    assert [len(page.tasks) for page in pages] == [3, 3, 1]
    names = [task.name for page in pages for task in page.tasks]
    assert names == [f"{QUEUE}/tasks/t{number}" for number in range(7)]
    assert pages[0].tasks[0].http_request.body == b"b"


async def test_a_queue_lives_and_dies(cloud: Cloud) -> None:
    other = f"{LOCATION}/queues/media"
    made = await cloud.client.create_queue(parent=LOCATION, queue=Queue(name=other))
    assert (made.state, made.rate_limits.max_burst_size) == (Queue.State.RUNNING, 100)
    with pytest.raises(AlreadyExists, match="Queue already exists"):
        await cloud.client.create_queue(parent=LOCATION, queue=Queue(name=other))
    assert [queue.name async for queue in await cloud.client.list_queues(parent=LOCATION)] == [other, QUEUE]
    await cloud.client.delete_queue(name=other)
    with pytest.raises(NotFound, match="Queue does not exist"):
        await cloud.client.get_queue(name=other)
    with pytest.raises(FailedPrecondition, match="existed too recently"):
        await cloud.client.create_queue(parent=LOCATION, queue=Queue(name=other))


async def test_a_queue_must_lie_in_its_parent(cloud: Cloud) -> None:
    with pytest.raises(InvalidArgument, match="must begin with"):
        await cloud.client.create_queue(parent=f"{LOCATION}2", queue=Queue(name=f"{LOCATION}/queues/media"))


async def test_queues_are_paged_and_filters_are_refused(cloud: Cloud) -> None:
    for number in range(4):
        await cloud.client.create_queue(parent=LOCATION, queue=Queue(name=f"{LOCATION}/queues/q{number}"))
    request = {"parent": LOCATION, "page_size": 2}
    pages = [page async for page in (await cloud.client.list_queues(request=request)).pages]
    assert [len(page.queues) for page in pages] == [2, 2, 1]
    with pytest.raises(MethodNotImplemented, match="filters"):
        await cloud.client.list_queues(request={"parent": LOCATION, "filter": "state: PAUSED"})


async def test_updating_a_missing_queue_makes_it(cloud: Cloud) -> None:
    other = f"{LOCATION}/queues/media"
    made = await cloud.client.update_queue(queue=Queue(name=other, rate_limits={"max_concurrent_dispatches": 3}))
    assert made == await cloud.client.get_queue(name=other)
    assert made.rate_limits.max_concurrent_dispatches == 3


async def test_an_update_changes_the_masked_fields_only(cloud: Cloud) -> None:
    await cloud.configure(rate_limits={"max_dispatches_per_second": 7})
    changed = await cloud.configure(retry_config={"max_attempts": 3})
    assert (changed.rate_limits.max_dispatches_per_second, changed.retry_config.max_attempts) == (7, 3)


async def test_pausing_and_resuming_change_the_state(cloud: Cloud) -> None:
    assert (await cloud.client.pause_queue(name=QUEUE)).state == Queue.State.PAUSED
    assert (await cloud.client.get_queue(name=QUEUE)).state == Queue.State.PAUSED
    assert (await cloud.client.resume_queue(name=QUEUE)).state == Queue.State.RUNNING
