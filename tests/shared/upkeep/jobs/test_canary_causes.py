"""Each observation at a step gives one sentence; a failure comes with a likely cause."""

from datetime import UTC, datetime

import pytest

from shared.upkeep.jobs.canary import of_answer, of_store, of_tick
from shared.values.canary import CanaryStep, CanaryTrace, FunctionAnswer

KEPT = CanaryTrace(received_at=datetime(2026, 3, 1, tzinfo=UTC), generation=4)


@pytest.mark.parametrize(
    ("step", "status"), [(CanaryStep.DOOR, 401), (CanaryStep.WEBHOOK, 200), (CanaryStep.SWEEP, 200)]
)
def test_what_is_right_is_said(step: CanaryStep, status: int) -> None:
    is_well, said = of_answer(step, FunctionAnswer(status=status))
    assert is_well
    assert "(" not in said


@pytest.mark.parametrize(
    ("step", "status", "cause"),
    [
        (CanaryStep.DOOR, 200, "LULL_WEBHOOK_SECRET is empty"),
        (CanaryStep.DOOR, 403, "roles/run.invoker"),
        (CanaryStep.WEBHOOK, 401, "older value"),
        (CanaryStep.WEBHOOK, 404, "LULL_AGENTS"),
        (CanaryStep.WEBHOOK, 500, "Firestore, Cloud Tasks or a setting"),
        (CanaryStep.WEBHOOK, 503, "does not start"),
        (CanaryStep.WEBHOOK, None, "ConnectError"),
        (CanaryStep.WEBHOOK, 302, "another program"),
        (CanaryStep.SWEEP, 400, "older version"),
        (CanaryStep.SWEEP, 429, "max_instances"),
    ],
)
def test_what_is_wrong_has_a_likely_cause(step: CanaryStep, status: int | None, cause: str) -> None:
    is_well, said = of_answer(step, FunctionAnswer(status=status, said="ConnectError"))
    assert not is_well
    assert cause in said
    assert "{" not in said


def test_what_is_not_in_the_store_was_stored_elsewhere() -> None:
    assert of_store(KEPT)[0]
    assert of_store(CanaryTrace()) == (
        False,
        "the webhook accepted it, but it is not stored: the functions do not use the same project or database",
    )


def test_a_tick_that_came_and_failed_is_told_from_none() -> None:
    read = CanaryTrace(received_at=KEPT.received_at, is_read=True, generation=6)
    assert of_tick(read, KEPT, 60)[0]
    began = CanaryTrace(received_at=KEPT.received_at, generation=5)
    assert "a tick took the chat" in of_tick(began, KEPT, 60)[1]
    assert "no tick came within 60 s: the queue is paused" in of_tick(KEPT, KEPT, 60)[1]
