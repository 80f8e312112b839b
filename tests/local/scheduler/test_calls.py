"""The calls of a job are made and repeated as Cloud Scheduler does."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone

import httpx
import pytest

from infra.schedules import ScheduleEntry
from local.scheduler.calls import RETRIES, Attempt, Caller
from shared.values.evolve import evolve
from tests.infra.test_schedules import job
from tests.local.cloud_tasks.task_handler import Answer, TaskHandler

#: once a year: except in the year's last minute, the next run is far away
AT = datetime.now(UTC)
YEARLY = job(schedule="0 0 1 1 *")


@pytest.fixture
async def caller(function: TaskHandler) -> AsyncIterator[Caller]:
    async with httpx.AsyncClient(timeout=None, trust_env=False) as client:
        yield Caller(client=client, urls={"summarize": function.url}, first_pause_s=0)


async def test_a_call_is_as_cloud_scheduler_makes_it(caller: Caller, function: TaskHandler) -> None:
    scheduled = datetime(2026, 3, 1, 14, 5, tzinfo=timezone(timedelta(hours=2)))
    assert await caller.call(YEARLY, scheduled) == Attempt(status=200, said="")
    (received,) = function.received
    assert (received.method, json.loads(received.body)) == ("POST", {"job": "sweep"})
    headers = received.headers
    assert headers["x-cloudscheduler"] == "true"
    assert headers["x-cloudscheduler-jobname"] == "sweep"
    assert headers["x-cloudscheduler-scheduletime"] == "2026-03-01T12:05:00Z"
    assert headers["user-agent"] == "Google-Cloud-Scheduler"
    assert headers["content-type"] == "application/json"


async def test_a_run_that_fails_is_tried_again_as_the_same_run(caller: Caller, function: TaskHandler) -> None:
    function.script = [Answer(500), Answer(503)]
    attempts = [attempt async for attempt in caller.run(YEARLY, AT)]
    assert [attempt.status for attempt in attempts] == [500, 503, 200]
    assert len(function.received) == 3
    assert len({r.headers["x-cloudscheduler-scheduletime"] for r in function.received}) == 1


async def test_a_run_is_given_up_after_its_retries(caller: Caller, function: TaskHandler) -> None:
    function.usual = Answer(400)
    assert [attempt.status async for attempt in caller.run(YEARLY, AT)] == [400] * (1 + RETRIES)
    assert len(function.received) == 1 + RETRIES


async def test_no_try_comes_after_the_next_run(caller: Caller, function: TaskHandler) -> None:
    function.usual = Answer(500)
    long_ago = AT - timedelta(days=400)
    assert [attempt.status async for attempt in caller.run(YEARLY, long_ago)] == [500]
    assert len(function.received) == 1


async def test_a_function_that_is_down_is_an_outcome() -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        attempt = await Caller(client=client, urls={"summarize": "http://127.0.0.1:1/"}).call(YEARLY, AT)
    assert (attempt.status, attempt.said) == (None, "no answer: ConnectError")
    assert str(attempt) == "no answer: ConnectError"


async def test_an_answer_that_does_not_come_in_time_is_an_outcome(caller: Caller, function: TaskHandler) -> None:
    never = asyncio.Event()
    function.usual = Answer(held=never)
    hurried: ScheduleEntry = evolve(YEARLY, attempt_deadline=0.3)
    assert await caller.call(hurried, AT) == Attempt(status=None, said="no answer within 0.3 s")
    never.set()
