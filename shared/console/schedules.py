"""The scheduled jobs: when each runs next, and how its last run ended.

The times are copied from `infra/schedules.yaml`, which is not deployed with the function; a test compares both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from cronsim import CronSim
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.queries import Query
from shared.console.status import canary_in
from shared.upkeep.store.job_results import decode_job_results
from shared.values.job_result import JobOutcome

#: how many next runs of each job are shown
SHOWN_RUNS: Final = 10
#: the archives of which the progress is read; a deployment has one or two
_MOST_ARCHIVES: Final = 5


@dataclass(frozen=True, kw_only=True)
class ScheduledJob:
    """A job of Cloud Scheduler. `may_run_now`: the console may start it through a queue."""

    name: str
    schedule: str
    may_run_now: bool = False
    time_zone: str = "Etc/UTC"

    def next_runs(self, now: datetime, count: int = SHOWN_RUNS) -> tuple[datetime, ...]:
        """Return the next times of the schedule."""
        times = CronSim(self.schedule, now.astimezone(ZoneInfo(self.time_zone)))
        return tuple(next(times) for _ in range(count))


SCHEDULES: Final = (
    ScheduledJob(name="sweep", schedule="*/5 * * * *", may_run_now=True),
    ScheduledJob(name="archive", schedule="7-59/15 1-4 * * *", may_run_now=True),
    ScheduledJob(name="canary", schedule="41 */6 * * *"),
    ScheduledJob(name="register", schedule="23 4 * * *"),
)


@dataclass(frozen=True, kw_only=True)
class DeploymentReport:
    """The deployment's stored facts about its jobs, the last canary (a self-test), the archives and the sweep."""

    results: Mapping[str, JobOutcome]
    canary_at: datetime | None
    canary: Mapping[str, Any]
    #: by archive: the time up to which conversations are archived
    archives: Mapping[str, datetime]
    #: the kinds of leftover work of which the last sweep found more than it may do in one run
    sweep_goes_on: tuple[str, ...]


async def read_report(client: AsyncClient) -> DeploymentReport:
    """Return the deployment's report. Raises StoreUnavailable or StoreRefused."""
    names = (paths.JOB_RUNS, paths.CANARY_REPORT, paths.SWEEP_CURSORS)
    with translate_errors("read what the deployment reports"):
        stored = client.get_all([client.document(name) for name in names], retry=RETRY, timeout=CALL_SECONDS)
        known = {one.reference.path: one.to_dict() or {} async for one in stored}
        archives = await Query(collection=paths.ARCHIVES).on(client).limit(_MOST_ARCHIVES).get(timeout=CALL_SECONDS)
    canary = known.get(paths.CANARY_REPORT, {})
    at = canary.get("at")
    progress = ((str(one.get("archive", "")), one.get("at")) for one in (found.to_dict() or {} for found in archives))
    return DeploymentReport(
        results=decode_job_results(known.get(paths.JOB_RUNS)),
        canary_at=at if isinstance(at, datetime) else None,
        canary=canary_in(canary),
        archives={
            name: moment
            for name, moment in progress
            if isinstance(moment, datetime) and not name.endswith(" documents")
        },
        sweep_goes_on=tuple(sorted(known.get(paths.SWEEP_CURSORS, {}))),
    )


def is_late(job: ScheduledJob, result: JobOutcome | None, now: datetime) -> bool:
    """Return whether a job has missed two runs, and has not run for two hours. False if no run is recorded."""
    if result is None:
        return False
    runs = job.next_runs(result.at, 2)
    return now > max(runs[-1], result.at + timedelta(hours=2)) + timedelta(minutes=10)
