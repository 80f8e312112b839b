"""The canary of `make dev`: the message about a lost one, and a real one while a part does not work."""

import asyncio
import json

import pytest

from local.canary import LIKELY, PASSED, CanaryWatch, newest_in, problem_in
from shared.upkeep.jobs.canary import AT_STEP, EVERYWHERE
from shared.values.canary import CanaryStep
from tests.local.watching import wait_until
from tests.stories.play import Sandbox


def attempt(status: int | None, *steps: tuple[str, CanaryStep, str]) -> dict[str, object]:
    """Make the scheduler's record of a run; a step without an error succeeded."""
    told = [{"agent": a, "step": step, "is_well": not said, "said": said, "ms": 1} for a, step, said in steps]
    return {"status": status, "said": json.dumps({"is_well": False, "steps": told})}


def test_the_first_step_that_failed_is_told_with_its_agents_and_its_likely_cause() -> None:
    lost = attempt(
        500,
        ("moss", CanaryStep.SWEEP, "it fails (500): the function's log names Firestore"),
        ("moss", CanaryStep.TICK, "no tick came within 60 s: the queue is paused"),
        ("lull", CanaryStep.TICK, "no tick came within 60 s: the queue is paused"),
        ("tutor", CanaryStep.TICK, ""),
    )
    assert problem_in(lost) == (
        "The canary of lull, moss failed, so messages might not be answered. Queue and tick: no tick came "
        "within 60 s. Likely cause: the tick does not start, fails or hangs; see `make logs PART=tick`, "
        "restart with `make restart PART=tick`. Also failing: sweep."
    )


def test_a_probe_is_told_with_what_it_met_and_with_every_other_that_failed() -> None:
    lost = attempt(
        500,
        ("lull", CanaryStep.TICK, ""),
        ("", CanaryStep.ERASING, "there is no answer (ConnectError): the function is not deployed"),
        ("", CanaryStep.MODEL, "gemini-x: Gemini answered 404 (no such model)."),
        ("", CanaryStep.MEDIA, "the bucket of media did not store a part of a file (ConnectionError)"),
    )
    assert problem_in(lost) == (
        "The canary failed, so messages might not be answered. Model: gemini-x: Gemini answered 404 (no such "
        "model). Likely cause: the model is missing, or its server does not answer; see `make logs PART=model`, "
        "restart with `make restart PART=model`. Also failing: erasing, bucket of media."
    )
    only = attempt(500, ("", CanaryStep.ERASING, "there is no answer (ConnectError): the function is not deployed"))
    assert "Erasing: there is no answer (ConnectError). Likely cause: erase" in problem_in(only)


def test_what_only_some_of_it_needs_is_told_so_and_vectors_that_are_still_fetched_are_not() -> None:
    away = attempt(
        500, ("", CanaryStep.DRAWING, "gemini-x: Gemini answered 404"), ("", CanaryStep.VECTORS, "m: answered 503")
    )
    told = problem_in(away)
    assert told.startswith(
        "The canary failed; messages are answered, but something else does not work. Drawing: gemini-x"
    )
    assert "vectors" not in told
    assert problem_in(attempt(500, ("", CanaryStep.VECTORS, "all-MiniLM: Gemini answered 503 UNAVAILABLE"))) == ""
    assert "Vectors: " in problem_in(attempt(500, ("", CanaryStep.VECTORS, "all-MiniLM: Gemini answered 404")))


def test_where_all_agents_lost_theirs_none_is_named() -> None:
    lost = attempt(
        500, ("moss", CanaryStep.STORE, "it is not there: why"), ("lull", CanaryStep.STORE, "it is not there: why")
    )
    assert problem_in(lost).startswith("The canary failed, so messages might not be answered. Firestore: ")


def test_what_came_through_and_what_was_never_sent_is_no_problem() -> None:
    assert problem_in(attempt(200, ("lull", CanaryStep.TICK, ""))) == ""
    assert problem_in(newest_in({"jobs": [{"name": "canary", "latest": None}]})) == ""
    assert problem_in(newest_in({"jobs": []})) == ""


@pytest.mark.parametrize(
    ("status", "said", "told"),
    [
        (None, "no answer: ConnectError", "Maintain: no answer: ConnectError. Likely"),
        (500, "", "it fails (500). Likely"),
    ],
)
def test_a_canary_that_could_not_be_sent_is_a_problem(status: int | None, said: str, told: str) -> None:
    sentence = problem_in({"status": status, "said": said})
    assert told in sentence
    assert "`make logs PART=maintain`" in sentence


def test_every_step_has_a_likely_cause_and_no_cause_of_the_clouds_is_told() -> None:
    assert set(LIKELY) == set(CanaryStep)
    for said in (*EVERYWHERE.values(), *AT_STEP.values()):
        what, _, cause = said.partition(": ")
        assert cause
        assert cause not in problem_in(attempt(500, ("lull", CanaryStep.WEBHOOK, f"{what}: {cause}")))


def heard(watch: CanaryWatch) -> str:
    """Wait for the next sentence."""
    said = ""

    def is_heard() -> bool:
        nonlocal said
        said = watch.look()
        return bool(said)

    wait_until(is_heard, 120)
    return said


async def test_a_lost_canary_is_told_once_and_so_is_the_next_that_comes_through(sandbox: Sandbox) -> None:
    watch = CanaryWatch(sandbox.cloud.scheduler_url, again_s=0.5)
    await asyncio.to_thread(sandbox.cloud.stop, "summarize")
    try:
        watch.start()
        lost = await asyncio.to_thread(heard, watch)
        assert "Sweep: there is no answer (ConnectError). Likely cause: summarize" in lost
        assert (await sandbox.telegram.get("/inspect/canary")).json() == {"problem": lost}
    finally:
        await asyncio.to_thread(sandbox.cloud.start, "summarize")
    try:
        assert await asyncio.to_thread(heard, watch) == PASSED
    finally:
        watch.close()
    assert (await sandbox.telegram.get("/inspect/canary")).json() == {"problem": ""}
