"""Records the results of scheduled jobs, so that the console can show the last run of each."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Final, TypeVar

from shared.base.errors import LullError
from shared.upkeep.store.job_results import FirestoreJobResults
from shared.values.job_result import JobOutcome
from shared.values.job_run import JobRun

#: jobs whose successful runs are stored too. The sweep runs every five minutes, so only its first run of an hour is
RECORDED: Final = frozenset({"archive", "canary", "register"})
_HOURLY: Final = "sweep"

Result = TypeVar("Result")
#: a job of the function `summarize`
Job = Callable[[JobRun], Awaitable[Mapping[str, int]]]


async def record_run(
    results: FirestoreJobResults, clock: Callable[[], datetime], job: str, run: Awaitable[Result], *, is_stored: bool
) -> Result:
    """Await a run of a job, and return its result. A failure is always stored, a success only if `is_stored` is true.

    Raises the errors of the run.
    """
    try:
        result = await run
    except LullError as error:
        await results.note(job, JobOutcome(at=clock(), is_well=False, why=str(error)))
        raise
    if is_stored:
        counts = result if isinstance(result, Mapping) else {}
        known = {name: count for name, count in counts.items() if isinstance(count, int)}
        await results.note(job, JobOutcome(at=clock(), is_well=True, counts=known))
    return result


def with_records(
    results: FirestoreJobResults, clock: Callable[[], datetime], jobs: Mapping[str, Job]
) -> Mapping[str, Job]:
    """Wrap each job so that its runs are recorded. A success is stored for the jobs in `RECORDED`, and for the sweep
    once an hour.
    """

    def with_record(job: str, run: Job) -> Job:
        async def run_recorded(job_run: JobRun) -> Mapping[str, int]:
            is_stored = job in RECORDED or (job == _HOURLY and begins_hour(job_run.scheduled_for))
            return await record_run(results, clock, job, run(job_run), is_stored=is_stored)

        return run_recorded

    return {job: with_record(job, run) for job, run in jobs.items()}


def begins_hour(scheduled_for: str) -> bool:
    """Return whether a run was scheduled for the first minute of an hour."""
    try:
        return datetime.fromisoformat(scheduled_for).minute == 0
    except ValueError:
        return False
