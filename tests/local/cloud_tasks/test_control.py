from typing import Any

import pytest
from google.api_core.exceptions import AlreadyExists

from tests.local.cloud_tasks.cloud import QUEUE, Cloud
from tests.local.cloud_tasks.task_handler import TaskHandler

NOWHERE = "http://127.0.0.1:1/"


async def test_it_is_ready(cloud: Cloud) -> None:
    assert await cloud.get("/healthz") == {"ready": True}


async def test_tasks_are_shown_by_queue_without_what_they_carry(cloud: Cloud) -> None:
    made = await cloud.create(NOWHERE, "a", after=60, http={"body": b"secret", "headers": {"x": "secret"}})
    for query in ({}, {"queue": QUEUE}, {"queue": "ticks"}):
        [task] = (await cloud.get("/tasks", **query))["tasks"]
        assert (task["name"], task["state"], task["attempts"]) == (made.name, "scheduled", 0)
        assert task["schedule_at"] == made.schedule_time.timestamp()
        assert "secret" not in str(task)
    assert (await cloud.get("/tasks", queue="media"))["tasks"] == []


async def test_dispatches_are_numbered_and_can_be_asked_for_from_a_number(cloud: Cloud, handler: TaskHandler) -> None:
    for task_id in ("a", "b", "c"):
        await cloud.create(handler.url, task_id)
    everything = await cloud.dispatches(3)
    assert [one["n"] for one in everything] == [1, 2, 3]
    assert (await cloud.get("/dispatches", after=2))["dispatches"] == everything[2:]
    assert all(one["status"] == 200 and one["ms"] >= 0 for one in everything)


async def test_faults_are_listed_until_they_are_used_up_or_cleared(cloud: Cloud) -> None:
    await cloud.fault("refuse_create", times=2)
    await cloud.fault("late", seconds=3)
    assert [fault["kind"] for fault in (await cloud.get("/faults"))["faults"]] == ["refuse_create", "late"]
    await cloud.clear_faults()
    assert (await cloud.get("/faults"))["faults"] == []


@pytest.mark.parametrize(
    ("body", "about"),
    [({"kind": "never"}, "kind"), ({"kind": "late", "times": 0}, "times"), ({"kind": "late", "colour": 1}, "colour")],
)
async def test_what_is_no_fault_is_refused_with_a_reason(cloud: Cloud, body: dict[str, Any], about: str) -> None:
    answer = await cloud.post("/faults", body)
    assert answer.status_code == 400
    assert about in answer.json()["error"]


async def test_a_wrong_number_is_refused(cloud: Cloud) -> None:
    answer = await cloud.control.get("/dispatches", params={"after": "soon"})
    assert (answer.status_code, "number" in answer.json()["error"]) == (400, True)


async def test_purge_all_loses_every_task_and_every_name_but_no_queue(cloud: Cloud, handler: TaskHandler) -> None:
    await cloud.create(handler.url, "done")
    await cloud.dispatches(1)
    await cloud.create(handler.url, "waiting", after=60)
    with pytest.raises(AlreadyExists):
        await cloud.create(handler.url, "done")
    assert (await cloud.post("/purge-all")).json() == {"lost": 1}
    assert await cloud.tasks() == []
    await cloud.create(handler.url, "done")
    assert [one.task for one in await handler.wait_for(2)] == ["done", "done"]
