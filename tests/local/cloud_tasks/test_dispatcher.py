"""The requests to handlers, their times, and the tasks after the answers."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from google.api_core.exceptions import NotFound
from google.cloud.tasks_v2.types import Queue, RetryConfig, Task

from local.cloud_tasks.dispatcher import DispatchTimes
from local.cloud_tasks.server import ServerSettings
from tests.local.cloud_tasks.cloud import QUEUE, Cloud, local_cloud
from tests.local.cloud_tasks.task_handler import Answer, TaskHandler, jwt_part

AT_ONCE = RetryConfig(min_backoff=timedelta(0), max_backoff=timedelta(0))
SOON = RetryConfig(min_backoff=timedelta(milliseconds=100), max_backoff=timedelta(milliseconds=400))


async def test_a_task_due_now_is_delivered_and_gone(cloud: Cloud, handler: TaskHandler) -> None:
    token = {"service_account_email": "tick@example.com", "audience": "https://tick.example"}
    headers = {"Content-Type": "application/json"}
    await cloud.create(handler.url, "a", http={"body": b'{"chat": 1}', "headers": headers, "oidc_token": token})
    [received] = await handler.wait_for(1)
    assert (received.method, received.path, received.body) == ("POST", "/tick", b'{"chat": 1}')
    assert (received.headers["user-agent"], received.headers["content-type"]) == (
        "Google-Cloud-Tasks",
        "application/json",
    )
    assert (received.task, received.headers["x-cloudtasks-queuename"]) == ("a", "ticks")
    assert jwt_part(received.headers["authorization"], 1)["aud"] == "https://tick.example"
    await cloud.drained()
    assert len(handler.received) == 1


async def test_tasks_wait_for_their_times_and_go_out_in_that_order(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.configure(rate_limits={"max_concurrent_dispatches": 1})
    await cloud.client.pause_queue(name=QUEUE)
    now = datetime.now(UTC)
    late = await cloud.create(handler.url, "late", schedule_time=now + timedelta(seconds=0.5))
    early = await cloud.create(handler.url, "early", schedule_time=now + timedelta(seconds=0.3))
    await cloud.client.resume_queue(name=QUEUE)
    # a past schedule time becomes the task's time of creation, so the task that was made second comes second
    times = {made.name.rpartition("/")[2]: made.schedule_time.timestamp() for made in (late, early)}
    received = await handler.wait_for(2)
    assert [one.task for one in received] == sorted(times, key=times.__getitem__)
    for one in received:
        assert one.at >= times[one.task]
        assert float(one.headers["x-cloudtasks-tasketa"]) == pytest.approx(times[one.task], abs=1e-5)


async def test_a_failed_task_is_tried_again_after_its_back_off(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.configure(retry_config=SOON)
    handler.script = [Answer(500), Answer(404), Answer(200)]
    await cloud.create(handler.url, "a")
    received = await handler.wait_for(3)
    counted = [
        (
            one.headers["x-cloudtasks-taskretrycount"],
            one.headers["x-cloudtasks-taskexecutioncount"],
            one.headers.get("x-cloudtasks-taskpreviousresponse"),
            one.headers.get("x-cloudtasks-taskretryreason"),
        )
        for one in received
    ]
    assert counted == [("0", "0", None, None), ("1", "0", "500", ""), ("2", "1", "404", "")]
    first, second, third = await cloud.dispatches(3)
    assert second["at"] >= first["at"] + first["ms"] / 1000 + 0.099
    assert third["at"] >= second["at"] + second["ms"] / 1000 + 0.199
    assert [one["status"] for one in (first, second, third)] == [500, 404, 200]
    await cloud.drained()


async def test_a_failed_task_shows_its_last_attempt_while_it_waits(cloud: Cloud, handler: TaskHandler) -> None:
    handler.usual = Answer(503, {"retry-after": "3600"})
    await cloud.create(handler.url, "a")
    [ended] = await cloud.dispatches(1)
    task = await cloud.client.get_task(name=f"{QUEUE}/tasks/a")
    assert (task.dispatch_count, task.response_count) == (1, 1)
    assert task.last_attempt.response_status.message == "UNAVAILABLE(14): HTTP status code 503"
    assert task.schedule_time.timestamp() >= ended["at"] + 3600
    [shown] = await cloud.tasks()
    assert (shown["state"], shown["attempts"]) == ("scheduled", 1)


async def test_a_task_is_given_up_after_its_attempts(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.configure(retry_config=RetryConfig(AT_ONCE, max_attempts=3))
    handler.usual = Answer(500)
    await cloud.create(handler.url, "a")
    await cloud.drained()
    assert len(handler.received) == 3
    with pytest.raises(NotFound, match="no longer exists"):
        await cloud.client.get_task(name=f"{QUEUE}/tasks/a")


async def test_a_tasks_own_retries_override_the_queues(cloud: Cloud, handler: TaskHandler) -> None:
    handler.usual = Answer(500)
    await cloud.create(handler.url, "a", retry_config=RetryConfig(AT_ONCE, max_attempts=2))
    await cloud.drained()
    assert len(handler.received) == 2


async def test_a_handler_that_is_not_there_is_tried_again(cloud: Cloud) -> None:
    await cloud.configure(retry_config=AT_ONCE)
    await cloud.create("http://127.0.0.1:1/", "a")
    first, second = (await cloud.dispatches(2))[:2]
    assert (first["status"], first["outcome"]) == (None, "UNAVAILABLE(14): no response: ConnectError")
    assert second["attempt"] == 2


async def test_silence_past_the_deadline_is_tried_again_while_the_handler_still_runs(handler: TaskHandler) -> None:
    never = asyncio.Event()
    handler.script = [Answer(held=never)]
    settings = ServerSettings(queues=(QUEUE,), pace=DispatchTimes(deadline_scale=0.01))
    async with local_cloud(settings) as cloud:
        await cloud.configure(retry_config=AT_ONCE)
        await cloud.create(handler.url, "a", dispatch_deadline=timedelta(seconds=15))
        _, second = await handler.wait_for(2)
        first = (await cloud.dispatches(1))[0]
        assert (first["outcome"], first["ms"] >= 149) == ("DEADLINE_EXCEEDED(4): no response within 0.15 s", True)
        assert second.headers["x-cloudtasks-taskpreviousresponse"] == "504"
        assert second.headers["x-cloudtasks-taskexecutioncount"] == "0"
        await cloud.drained()
    never.set()


async def test_a_paused_queue_takes_tasks_and_sends_none_until_it_is_resumed(
    cloud: Cloud, handler: TaskHandler
) -> None:
    await cloud.client.pause_queue(name=QUEUE)
    await cloud.create(handler.url, "a")
    await cloud.client.create_queue(parent=QUEUE.partition("/queues")[0], queue=Queue(name=f"{QUEUE}-running"))
    await cloud.client.create_task(
        parent=f"{QUEUE}-running", task=Task(name=f"{QUEUE}-running/tasks/b", http_request={"url": handler.url})
    )
    assert [one.task for one in await handler.wait_for(1)] == ["b"]
    await cloud.client.resume_queue(name=QUEUE)
    assert [one.task for one in await handler.wait_for(2)] == ["b", "a"]


async def test_a_purged_or_deleted_task_is_not_sent(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.configure(rate_limits={"max_concurrent_dispatches": 1})
    await cloud.client.pause_queue(name=QUEUE)
    await cloud.create(handler.url, "purged")
    await cloud.client.purge_queue(name=QUEUE)
    await cloud.create(handler.url, "deleted")
    await cloud.client.delete_task(name=f"{QUEUE}/tasks/deleted")
    await cloud.create(handler.url, "kept")
    await cloud.client.resume_queue(name=QUEUE)
    assert [one.task for one in await handler.wait_for(1)] == ["kept"]


async def test_a_task_deleted_while_it_runs_is_not_tried_again(cloud: Cloud, handler: TaskHandler) -> None:
    answer_now = asyncio.Event()
    await cloud.configure(retry_config=AT_ONCE)
    handler.script = [Answer(500, held=answer_now)]
    await cloud.create(handler.url, "a")
    await handler.wait_for(1)
    await cloud.client.delete_task(name=f"{QUEUE}/tasks/a")
    answer_now.set()
    await cloud.dispatches(1)
    await cloud.create(handler.url, "b")
    assert [one.task for one in await handler.wait_for(2)] == ["a", "b"]


async def test_a_deleted_queue_sends_nothing_more(cloud: Cloud, handler: TaskHandler) -> None:
    answer_now = asyncio.Event()
    handler.script = [Answer(500, held=answer_now)]
    await cloud.create(handler.url, "running")
    await cloud.create(handler.url, "waiting", after=60)
    await handler.wait_for(1)
    await cloud.client.delete_queue(name=QUEUE)
    answer_now.set()
    await cloud.dispatches(1)
    assert await cloud.tasks() == []


async def test_run_task_sends_at_once_whatever_the_queue_says(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.client.pause_queue(name=QUEUE)
    await cloud.create(handler.url, "a", after=3600)
    running = await cloud.client.run_task(name=f"{QUEUE}/tasks/a")
    assert running.dispatch_count == 1
    assert [one.task for one in await handler.wait_for(1)] == ["a"]
    await cloud.drained()
    with pytest.raises(NotFound):
        await cloud.client.run_task(name=f"{QUEUE}/tasks/a")


async def test_a_task_that_fails_when_forced_waits_for_its_back_off(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.configure(retry_config=RetryConfig(min_backoff=timedelta(seconds=60)))
    handler.usual = Answer(500)
    await cloud.create(handler.url, "a", after=3600)
    await cloud.client.run_task(name=f"{QUEUE}/tasks/a")
    [ended] = await cloud.dispatches(1)
    task = await cloud.client.get_task(name=f"{QUEUE}/tasks/a")
    assert 60 <= task.schedule_time.timestamp() - ended["at"] < 120


async def test_tasks_run_at_the_same_time_up_to_the_queues_limit(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.configure(rate_limits={"max_concurrent_dispatches": 3})
    answer_now = asyncio.Event()
    handler.usual = Answer(held=answer_now)
    for number in range(8):
        await cloud.create(handler.url, f"t{number}")
    await handler.wait_for(3)
    states = [task["state"] for task in await cloud.tasks()]
    assert (states.count("running"), states.count("scheduled")) == (3, 5)
    answer_now.set()
    await cloud.drained()
    assert (handler.most_at_once, len(handler.received)) == (3, 8)


async def test_after_a_burst_tasks_go_out_at_the_queues_rate(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.configure(rate_limits={"max_dispatches_per_second": 20})
    made = [await cloud.create(handler.url, f"t{number}") for number in range(28)]
    last = max(one["at"] for one in await cloud.dispatches(28))
    # the burst is unused until the first task is made, however late a slow machine makes it
    assert last - made[0].schedule_time.timestamp() >= (28 - 20) / 20 - 0.001


async def test_many_tasks_are_each_delivered_once(cloud: Cloud, handler: TaskHandler) -> None:
    await asyncio.gather(*(cloud.create(handler.url, f"t{number}") for number in range(300)))
    await cloud.drained()
    assert sorted(one.task for one in handler.received) == sorted(f"t{number}" for number in range(300))


async def test_twice_delivers_the_next_task_twice_at_the_same_time(cloud: Cloud, handler: TaskHandler) -> None:
    answer_now = asyncio.Event()
    handler.usual = Answer(held=answer_now)
    await cloud.fault("twice", name_prefix="a")
    await cloud.create(handler.url, "b")
    await cloud.create(handler.url, "a")
    received = await handler.wait_for(3)
    assert sorted(one.task for one in received) == ["a", "a", "b"]
    assert handler.under_way == 3
    answer_now.set()
    await cloud.drained()
    twice = [one for one in await cloud.dispatches(3) if one["fault"] == "twice"]
    assert [one["attempt"] for one in twice] == [1, 1]


async def test_late_sends_the_next_task_late_and_no_other(cloud: Cloud, handler: TaskHandler) -> None:
    answer_now = asyncio.Event()
    handler.usual = Answer(held=answer_now)
    await cloud.fault("late", seconds=0.4)
    made = await cloud.create(handler.url, "a")
    assert (await cloud.get("/faults"))["faults"] == []
    assert (await cloud.tasks())[0]["schedule_at"] == made.schedule_time.timestamp()
    [received] = await handler.wait_for(1)
    assert received.at >= made.schedule_time.timestamp() + 0.4
    answer_now.set()


async def test_reorder_holds_the_next_tasks_and_sends_them_backwards(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.fault("reorder", times=3)
    for task_id in ("a", "b"):
        await cloud.create(handler.url, task_id)
    assert [task["state"] for task in await cloud.tasks()] == ["held", "held"]
    await cloud.create(handler.url, "c")
    assert [one.task for one in await handler.wait_for(3)] == ["c", "b", "a"]
    await cloud.drained()


async def test_clearing_the_faults_lets_go_of_what_is_held(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.fault("reorder", times=9)
    for task_id in ("a", "b"):
        await cloud.create(handler.url, task_id)
    await cloud.clear_faults()
    assert [one.task for one in await handler.wait_for(2)] == ["b", "a"]
    await cloud.create(handler.url, "c")
    assert [one.task for one in await handler.wait_for(3)] == ["b", "a", "c"]


async def test_a_dropped_answer_is_a_task_done_twice(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.configure(retry_config=AT_ONCE)
    await cloud.fault("drop_answer")
    await cloud.create(handler.url, "a")
    _, second = await handler.wait_for(2)
    assert second.headers["x-cloudtasks-taskretrycount"] == "1"
    assert second.headers["x-cloudtasks-taskexecutioncount"] == "0"
    first = (await cloud.dispatches(2))[0]
    assert (first["status"], first["fault"]) == (200, "drop_answer")
    await cloud.drained()
