"""The scheduled function through functions-framework, as Cloud Scheduler calls it."""

import json

import httpx
import pytest

from local.parts import ARCHIVE_BUCKET
from tests.functions.left_over import nothing_is_left
from tests.stories.play import Json, Sandbox, until


async def post(sandbox: Sandbox, body: bytes | str, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=60) as client:
        return await client.post(sandbox.cloud.summarize_url, content=body, headers=headers)


async def test_it_is_well(sandbox: Sandbox) -> None:
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.get(f"{sandbox.cloud.summarize_url}/healthz")
    assert (answer.status_code, answer.text) == (200, "ok")


@pytest.mark.parametrize(
    "body", ["", "sweep", "[]", "{}", '{"job": "swep"}', '{"job": 7}', '{"job": null}', b"\xff", "[" * 100_000]
)
async def test_a_job_that_there_is_not_is_refused_with_those_that_there_are(
    sandbox: Sandbox, body: bytes | str
) -> None:
    answer = await post(sandbox, body)
    assert answer.status_code == 400
    said, _, known = answer.text.partition(" expected one of: ")
    assert said == "unknown job;"
    # a new job needs no change here
    names = [json.loads(order)["job"] for order in known.removesuffix("\n").split(", ")]
    assert {"sweep", "notes", "note", "title", "summarize", "archive", "take_out"} <= set(names)


async def test_a_sweep_tells_what_it_did(sandbox: Sandbox) -> None:
    await nothing_is_left(sandbox)
    answer = await post(sandbox, '{"job": "sweep"}', **{"X-CloudScheduler-ScheduleTime": "2026-03-01T12:05:00Z"})
    assert answer.status_code == 200
    counts: Json = answer.json()
    chats, runs = {"unread", "overdue", "reminders", "lent"}, {"files", "notes", "takeouts", "erasures"}
    assert counts.keys() <= chats | runs
    line = f"the sweep woke {sum(counts.get(kind, 0) for kind in chats)} chats  [job=sweep unread="

    async def is_logged() -> bool:
        return line in sandbox.cloud.log("summarize").read_text()

    await until(is_logged, "the run is logged")


async def test_an_archive_tells_what_it_did(sandbox: Sandbox) -> None:
    answer = await post(sandbox, '{"job": "archive"}')
    assert answer.status_code == 200
    assert answer.json().keys() <= {f"gs://{ARCHIVE_BUCKET}", "unreadable", "gone"}


async def test_what_rests_is_found_and_what_is_not_there_is_no_error(sandbox: Sandbox) -> None:
    found = await post(sandbox, '{"job": "notes"}')
    assert (found.status_code, found.json().keys()) == (200, {"due", "embedded_by_another"})
    gone = await post(sandbox, '{"job": "note", "conversation": "conv-gone"}')
    assert (gone.status_code, gone.json()) == (200, {})


async def test_the_vector_of_a_question_is_made_for_the_console(sandbox: Sandbox) -> None:
    order = {"job": "vector", "question": "who likes tea?", "agent": "lull", "person": 7}
    answer = await post(sandbox, json.dumps(order))
    assert answer.status_code == 200
    found: Json = answer.json()
    assert found["model"]
    assert len(found["vector"]) > 100
