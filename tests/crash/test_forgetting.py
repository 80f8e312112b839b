"""A person is forgotten completely and gets one receipt, at whatever request the function is killed."""

import os
from collections.abc import Sequence

import pytest

from benchmarks.relay.ledger import Moment, Step
from tests.crash.forgetting import Forgotten, forget
from tests.crash.lanes import Lane
from tests.crash.playing import Playhouse

#: Each request has two points, before and after it. A test run takes every N-th of them in rotation, since after each
#: kill a claimed chat is awaited for half a minute. `FORGET_EVERY=1` takes all of them, in an hour
EVERY = int(os.environ.get("FORGET_EVERY", "55")) | 1
FIRST = int(os.environ.get("FORGET_FIRST", "0"))


@pytest.mark.timeout(3600)
async def test_who_is_forgotten_is_nowhere_and_told_once_wherever_the_function_is_killed(
    backend: Playhouse, lane: Lane, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", lane.cloud.firestore_host)
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", lane.cloud.storage_url)
    whole = await forget(backend, lane)
    assert whole.faults == ()
    points = [(step, moment) for step in writes(whole.steps) for moment in Moment][FIRST::EVERY]
    outcomes = [(point, await forget(backend, lane, *point)) for point in points]
    assert not (wrong := [told(*one) for one in outcomes if one[1].faults]), "\n".join(wrong)
    struck = [moment for (_, moment), outcome in outcomes if outcome.struck is not None]
    assert set(struck) == set(Moment)
    print(f"{len(writes(whole.steps))} writes, {len(points)} points, {len(struck)} kills")


def writes(steps: Sequence[Step]) -> list[Step]:
    """Return the requests that change something."""
    return [one for one in steps if one.what.startswith(("Firestore Commit", "Cloud Tasks", "Storage"))]


def told(point: tuple[Step, Moment], outcome: Forgotten) -> str:
    """Return the outcome of a kill in words."""
    step, moment = point
    return f"{moment} {step.what} {step.nth}: {', '.join(outcome.faults)}"
