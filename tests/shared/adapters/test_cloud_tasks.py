"""The queue of ticks through the official client, against the local Cloud Tasks."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.adapters.cloud_tasks import LONGEST_AHEAD, CloudTasksQueue
from shared.errors import QueueRefused, QueueUnavailable
from shared.models.chat import ChatKey
from shared.models.wake import Wake, WakeReason
from tests.shared.paused_queue import PausedQueue
from tests.shared.values import NOW

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
INVOKER = "ticks@my-lull.iam.gserviceaccount.com"


def wake(key: ChatKey, **fields: object) -> Wake:
    return Wake.model_validate(
        {"key": key, "reason": WakeReason.SOON, "at": NOW, "of": "1", "traceparent": TRACE} | fields
    )


def ticks(queue: PausedQueue, invoker: str = "") -> CloudTasksQueue:
    return CloudTasksQueue(queue.name, "http://tick.example/", invoker, queue.address)


async def test_a_wake_is_a_named_task_that_calls_the_tick_at_its_time(paused_queue: PausedQueue, key: ChatKey) -> None:
    at = datetime.now(UTC) + timedelta(days=1)
    wanted = wake(key, at=at)
    await ticks(paused_queue).enqueue(wanted)
    (task,) = await paused_queue.tasks()
    assert task.name == f"{paused_queue.name}/tasks/{wanted.name}"
    assert task.schedule_time == at
    assert (task.http_request.url, task.http_request.http_method.name) == ("http://tick.example/", "POST")
    assert task.http_request.headers["traceparent"] == TRACE
    assert task.http_request.headers["Content-Type"] == "application/json"
    assert task.dispatch_deadline == timedelta(minutes=10)
    assert not task.http_request.oidc_token.service_account_email
    assert await paused_queue.wakes() == [wanted]


async def test_the_tick_is_called_in_the_invokers_name(paused_queue: PausedQueue, key: ChatKey) -> None:
    await ticks(paused_queue, INVOKER).enqueue(wake(key, traceparent=""))
    (task,) = await paused_queue.tasks()
    token = task.http_request.oidc_token
    assert (token.service_account_email, token.audience) == (INVOKER, "http://tick.example/")
    assert "traceparent" not in task.http_request.headers


async def test_a_second_wish_of_the_same_name_is_the_first(paused_queue: PausedQueue, key: ChatKey) -> None:
    queue = ticks(paused_queue)
    first = wake(key)
    await queue.enqueue(first)
    await queue.enqueue(wake(key, at=NOW + timedelta(hours=1)))
    assert await paused_queue.wakes() == [first]
    await paused_queue.end(first)
    await queue.enqueue(first)
    assert await paused_queue.wakes() == []
    await queue.enqueue(first.again(NOW))
    assert len(await paused_queue.wakes()) == 1


@pytest.mark.parametrize("days", [30, 400])
async def test_a_wake_that_is_too_far_ahead_comes_early(paused_queue: PausedQueue, key: ChatKey, days: int) -> None:
    wanted = wake(key, at=datetime.now(UTC) + timedelta(days=days, seconds=2))
    before = datetime.now(UTC)
    await ticks(paused_queue).enqueue(wanted)
    (task,) = await paused_queue.tasks()
    assert before + LONGEST_AHEAD <= task.schedule_time <= datetime.now(UTC) + LONGEST_AHEAD
    assert await paused_queue.wakes() == [wanted]


async def test_a_task_that_is_wrong_is_refused_for_good(paused_queue: PausedQueue, key: ChatKey) -> None:
    queue = CloudTasksQueue(paused_queue.name, "nowhere", "", paused_queue.address)
    with pytest.raises(QueueRefused, match=r"^Cloud Tasks will never take this task \(InvalidArgument\)$"):
        await queue.enqueue(wake(key))


async def test_a_queue_that_does_not_exist_is_unavailable(paused_queue: PausedQueue, key: ChatKey) -> None:
    other = CloudTasksQueue(f"{paused_queue.name}-gone", "http://t/", "", paused_queue.address)
    with pytest.raises(
        QueueUnavailable, match=r"^Cloud Tasks did not take a task \((NotFound|FailedPrecondition)\)$"
    ) as caught:
        await other.enqueue(wake(key))
    assert not isinstance(caught.value, QueueRefused)
