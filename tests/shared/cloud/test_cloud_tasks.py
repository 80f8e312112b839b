"""The queues of jobs through the official client, against the local Cloud Tasks."""

import hashlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest

from shared.base.errors import QueueRefused, QueueUnavailable
from shared.cloud.cloud_tasks import LONGEST_AHEAD, CloudTasks
from shared.values.chat_key import ChatKey
from shared.values.wake import Job, Queue, QueueAddress, Routes, Wake, WakeReason
from tests.shared.examples import NOW, WAKE
from tests.shared.paused_queue import PausedQueue

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
INVOKER = "ticks@my-lull.iam.gserviceaccount.com"
TICK = "http://tick.example/"


def wake(key: ChatKey, **fields: object) -> Wake:
    return WAKE.validate_python(
        {"key": key, "reason": WakeReason.SOON, "at": NOW, "of": "1", "traceparent": TRACE} | fields
    )


async def test_a_wake_is_a_named_task_that_calls_the_tick_at_its_time(paused_queue: PausedQueue, key: ChatKey) -> None:
    at = datetime.now(UTC) + timedelta(days=1)
    wanted = wake(key, at=at)
    await paused_queue.ticks(TICK).enqueue(wanted)
    (task,) = await paused_queue.tasks()
    assert task.name == f"{paused_queue.name}/tasks/{wanted.name}"
    assert task.schedule_time == at
    assert (task.http_request.url, task.http_request.http_method.name) == (TICK, "POST")
    assert task.http_request.headers["traceparent"] == TRACE
    assert task.http_request.headers["Content-Type"] == "application/json"
    assert task.dispatch_deadline == timedelta(minutes=10)
    assert not task.http_request.oidc_token.service_account_email
    assert await paused_queue.wakes() == [wanted]


async def test_the_tick_is_called_in_the_invokers_name(paused_queue: PausedQueue, key: ChatKey) -> None:
    await paused_queue.jobs(TICK, invoker=INVOKER).enqueue(wake(key, traceparent="").job())
    (task,) = await paused_queue.tasks()
    token = task.http_request.oidc_token
    assert (token.service_account_email, token.audience) == (INVOKER, TICK)
    assert "traceparent" not in task.http_request.headers


async def test_a_second_wish_of_the_same_name_is_the_first(paused_queue: PausedQueue, key: ChatKey) -> None:
    queue = paused_queue.ticks()
    first = wake(key)
    await queue.enqueue(first)
    await queue.enqueue(wake(key, at=NOW + timedelta(hours=1)))
    assert await paused_queue.wakes() == [first]
    await paused_queue.end(first)
    await queue.enqueue(first)
    assert await paused_queue.wakes() == []
    await queue.enqueue(first.again(NOW))
    assert len(await paused_queue.wakes()) == 1


async def test_a_job_without_a_name_is_made_each_time(paused_queue: PausedQueue) -> None:
    queue = paused_queue.jobs()
    for _ in range(2):
        await queue.enqueue(Job(function="tick", body="{}", at=NOW))
    assert len(await paused_queue.tasks()) == 2


async def test_each_job_goes_to_its_queue_and_calls_its_function(
    new_queue: Callable[[], Awaitable[PausedQueue]],
) -> None:
    ticks, background = await new_queue(), await new_queue()
    routes = Routes(
        queues={
            Queue.TICKS: QueueAddress(name=ticks.name),
            Queue.BACKGROUND: QueueAddress(name=background.name, invoker=INVOKER),
        },
        functions={"tick": TICK, "summarize": "http://summarize.example/"},
    )
    queue = CloudTasks(routes, ticks.address)
    await queue.enqueue(Job(function="tick", body='{"n": 1}', at=NOW))
    await queue.enqueue(Job(function="summarize", body='{"n": 2}', at=NOW, queue=Queue.BACKGROUND))
    found = {
        (task.http_request.url, task.http_request.body, task.http_request.oidc_token.service_account_email)
        for tasks in (await ticks.tasks(), await background.tasks())
        for task in tasks
    }
    assert found == {(TICK, b'{"n": 1}', ""), ("http://summarize.example/", b'{"n": 2}', INVOKER)}
    assert len(await background.tasks()) == 1


@pytest.mark.parametrize("job", [{"function": "summarize"}, {"queue": Queue.BACKGROUND}], ids=["function", "queue"])
async def test_a_job_that_no_route_leads_to_is_refused(paused_queue: PausedQueue, job: dict[str, str]) -> None:
    with pytest.raises(QueueRefused, match=r"unknown queue or function .*; add it to LULL_ROUTES"):
        await paused_queue.jobs().enqueue(Job(**{"function": "tick", "body": "{}", "at": NOW, **job}))  # type: ignore[arg-type]
    assert await paused_queue.tasks() == []


@pytest.mark.parametrize("days", [30, 400])
async def test_a_wake_that_is_too_far_ahead_comes_early(paused_queue: PausedQueue, key: ChatKey, days: int) -> None:
    wanted = wake(key, at=datetime.now(UTC) + timedelta(days=days, seconds=2))
    before = datetime.now(UTC)
    await paused_queue.ticks().enqueue(wanted)
    (task,) = await paused_queue.tasks()
    assert before + LONGEST_AHEAD <= task.schedule_time <= datetime.now(UTC) + LONGEST_AHEAD
    assert await paused_queue.wakes() == [wanted]


async def test_a_task_that_is_wrong_is_refused_for_good(paused_queue: PausedQueue, key: ChatKey) -> None:
    with pytest.raises(QueueRefused, match=r"^Cloud Tasks will never take this task \(InvalidArgument\)$"):
        await paused_queue.ticks("nowhere").enqueue(wake(key))


async def test_a_queue_that_does_not_exist_is_unavailable(paused_queue: PausedQueue, key: ChatKey) -> None:
    with pytest.raises(QueueUnavailable, match=r"^Cloud Tasks did not take a task \((NotFound|FailedPrecondition)\)$"):
        await paused_queue.ticks(missing=True).enqueue(wake(key))


async def test_the_name_of_a_wakes_task_never_changes(paused_queue: PausedQueue) -> None:
    """During a deployment, two versions of lull wake the same chat. Both wakes must lead to only one tick."""
    same = wake(ChatKey(agent="lull", chat_id=7), of="3", attempt=1)
    await paused_queue.ticks().enqueue(same)
    (task,) = await paused_queue.tasks()
    words = f"{same.key.id}\nsoon\n3\n1".encode()
    assert task.name.rpartition("/")[2] == hashlib.sha256(words).hexdigest()[:40] == same.job().name
