"""The last run of each job can be read, and a run that cannot be recorded is still done."""

import itertools
import os
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.base.errors import StoreUnavailable
from shared.upkeep.job_record import with_records
from shared.upkeep.store.job_results import FirestoreJobResults, decode_job_results
from shared.values.job_result import JobOutcome
from shared.values.job_run import JobRun
from tests.shared.examples import NOW
from tests.shared.turn.watched import Clock

WELL = JobOutcome(at=NOW, is_well=True, counts={"woken": 2})
_numbers = itertools.count(1)


@pytest.fixture
async def results(emulator: str) -> AsyncIterator[FirestoreJobResults]:
    client = AsyncClient(project=f"jobs-{os.getpid()}-{next(_numbers)}")
    yield FirestoreJobResults(client)
    client.close()  # type: ignore[no-untyped-call]


async def wakes(_: JobRun) -> Mapping[str, int]:
    return {"woken": 2}


async def fails(_: JobRun) -> Mapping[str, int]:
    raise StoreUnavailable("Firestore did not answer")


@pytest.mark.parametrize(
    ("job", "scheduled_for", "stored"),
    [
        ("archive", "2026-03-01T01:07:00+00:00", {"archive": WELL}),
        ("sweep", "2026-03-01T12:00:00Z", {"sweep": WELL}),
        ("sweep", "2026-03-01T12:05:00Z", {}),
        ("sweep", "by hand", {}),
        ("note", "2026-03-01T12:00:00Z", {}),
    ],
)
async def test_runs_of_scheduled_jobs_are_recorded(
    results: FirestoreJobResults, job: str, scheduled_for: str, stored: Mapping[str, JobOutcome]
) -> None:
    run = with_records(results, lambda: NOW, {job: wakes})[job]
    assert await run(JobRun(scheduled_for=scheduled_for)) == {"woken": 2}
    assert await results.read() == stored


async def test_every_failure_is_recorded_until_a_run_succeeds(results: FirestoreJobResults) -> None:
    clock = Clock(NOW)
    jobs = with_records(results, clock, {"sweep": fails, "note": fails})
    for job in jobs.values():
        with pytest.raises(StoreUnavailable):
            await job(JobRun(scheduled_for="2026-03-01T12:05:00Z"))
    failed = JobOutcome(at=NOW, is_well=False, why="Firestore did not answer")
    assert await results.read() == {"sweep": failed, "note": failed}
    clock.now = NOW + timedelta(hours=1)
    await with_records(results, clock, {"sweep": wakes})["sweep"](JobRun(scheduled_for="2026-03-01T13:00:00Z"))
    assert (await results.read())["sweep"].is_well


async def test_a_result_that_cannot_be_stored_does_not_repeat_the_job(results: FirestoreJobResults) -> None:
    async def tells_much(_: JobRun) -> Mapping[str, int]:
        return {"x" * 2_000: 1}  # longer than a field's name may be

    run = with_records(results, lambda: NOW, {"archive": tells_much})["archive"]
    assert len(await run(JobRun(scheduled_for="x"))) == 1


def test_odd_results_are_left_out() -> None:
    assert decode_job_results({"sweep": {"at": "never"}, "archive": WELL.model_dump()}) == {"archive": WELL}
    assert decode_job_results(None) == {}
