"""The calls of a job: the request that Cloud Scheduler makes, and its retries."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import httpx

from infra.schedules import ScheduleEntry
from local.cloud_tasks.oidc import bearer

log = logging.getLogger("scheduler")

USER_AGENT = "Google-Cloud-Scheduler"
#: the retries of the deployed jobs (infra/modules/schedule); each pause is twice as long as the previous one
RETRIES = 3
FIRST_PAUSE_S = 10.0


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One request and its result. `said` is the body of the response. If no response arrived, `status` is None, and
    `said` says why.
    """

    status: int | None
    said: str

    @property
    def is_success(self) -> bool:
        """Whether the function accepted the call, so that no retry is needed."""
        return self.status is not None and 200 <= self.status < 300

    def __str__(self) -> str:
        """Return the attempt as part of a log line."""
        return f"{self.status or ''} {self.said}".strip()[:300]


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Calls the functions. `urls`: their addresses by name; `email`: the service account in whose name they are called,
    or "" for none.
    """

    client: httpx.AsyncClient
    urls: Mapping[str, str]
    email: str = ""
    first_pause_s: float = FIRST_PAUSE_S

    async def call(self, job: ScheduleEntry, scheduled: datetime) -> Attempt:
        """Make one attempt at the job's run for the time `scheduled`. If the request fails, no error is raised: the
        returned attempt contains the failure.
        """
        url = self.urls[job.function]
        token = {"Authorization": bearer(self.email, url, time.time())} if self.email else {}
        try:
            async with asyncio.timeout(job.attempt_deadline):
                answer = await self.client.post(
                    url, content=json.dumps(job.body).encode(), headers=headers_of(job, scheduled) | token
                )
        except TimeoutError:
            return Attempt(status=None, said=f"no answer within {job.attempt_deadline:g} s")
        except httpx.HTTPError as cause:
            return Attempt(status=None, said=f"no answer: {type(cause).__name__}")
        return Attempt(status=answer.status_code, said=answer.text)

    async def run(self, job: ScheduleEntry, scheduled: datetime) -> AsyncIterator[Attempt]:
        """Yield the attempts of a run. The run ends when an attempt succeeds, when no retries are left, or when the
        job's next run is due before the next retry.
        """
        until = job.next_after(scheduled)
        yield (attempt := await self.call(job, scheduled))
        for n in range(RETRIES):
            pause = timedelta(seconds=self.first_pause_s * 2**n)
            if attempt.is_success or datetime.now(UTC) + pause >= until:
                break
            log.warning("%s: %s; it is tried again in %g s", job.name, attempt, pause.total_seconds())
            await asyncio.sleep(pause.total_seconds())
            yield (attempt := await self.call(job, scheduled))
        log.info("%s: %s", job.name, attempt)


def headers_of(job: ScheduleEntry, scheduled: datetime) -> dict[str, str]:
    """Return the headers that Cloud Scheduler sends
    (cloud.google.com/scheduler/docs/reference/rest/v1/projects.locations.jobs).
    """
    return {
        "User-Agent": USER_AGENT,
        "Content-Type": "application/json",
        "X-CloudScheduler": "true",
        "X-CloudScheduler-JobName": job.name,
        "X-CloudScheduler-ScheduleTime": scheduled.astimezone(UTC).isoformat().replace("+00:00", "Z"),
    }
