"""The control API of the scheduler, for tests and people.

    GET   /healthz              {"ready": true}
    GET   /jobs                 every job: its schedule, whether it is paused, its next run, and its latest attempt
    POST  /jobs/NAME:run        call the job's function now, without retries, and return the response;
                                {"deliveries": 2} delivers the run twice at once, as Cloud Scheduler may
    POST  /jobs/NAME:pause      skip the job's scheduled runs
    POST  /jobs/NAME:resume     run the job as scheduled again

Errors are `{"error": "sentence"}` with status 400 or 404.
"""

from dataclasses import asdict, dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Lifespan

from infra.schedules import ScheduleEntry
from local.scheduler.timetable import Timetable


class _Run(BaseModel):
    model_config = ConfigDict(extra="forbid")

    deliveries: int = Field(default=1, ge=1, le=10)


@dataclass(frozen=True)
class SchedulerControl:
    """The endpoints of the scheduler's control API."""

    timetable: Timetable

    async def health(self, _: Request) -> JSONResponse:
        """Return `{"ready": true}`; a server that is not ready does not answer."""
        return JSONResponse({"ready": True})

    async def jobs(self, _: Request) -> JSONResponse:
        """Return every job with its schedule, its state and its latest attempt."""
        return JSONResponse({"jobs": [self._as_json(job) for job in self.timetable.jobs.values()]})

    async def act(self, request: Request) -> JSONResponse:
        """Run, pause or resume a job."""
        name, _, verb = request.path_params["name"].partition(":")
        job = self.timetable.jobs.get(name)
        if job is None:
            return _refusal(f"unknown job {name}; expected one of: {', '.join(self.timetable.jobs)}", 404)
        match verb:
            case "run":
                return await self._run(job, await request.body())
            case "pause":
                self.timetable.paused.add(name)
            case "resume":
                self.timetable.paused.discard(name)
            case _:
                return _refusal(f"POST /jobs/{name}:run, :pause or :resume")
        return JSONResponse(self._as_json(job))

    def app(self, lifespan: Lifespan[Starlette]) -> Starlette:
        """Return the HTTP application."""
        return Starlette(
            routes=[
                Route("/healthz", self.health),
                Route("/jobs", self.jobs),
                Route("/jobs/{name}", self.act, methods=["POST"]),
            ],
            lifespan=lifespan,
        )

    async def _run(self, job: ScheduleEntry, body: bytes) -> JSONResponse:
        try:
            asked = _Run.model_validate_json(body or b"{}")
        except ValidationError as wrong:
            return _refusal(f"deliveries: {wrong.errors()[0]['msg']}")
        attempts = await self.timetable.run_now(job, asked.deliveries)
        return JSONResponse({"attempts": [asdict(attempt) for attempt in attempts]})

    def _as_json(self, job: ScheduleEntry) -> dict[str, Any]:
        latest, next_run = self.timetable.latest.get(job.name), self.timetable.next_run(job)
        return {
            "name": job.name,
            "schedule": job.schedule,
            "time_zone": job.time_zone,
            "function": job.function,
            "state": "PAUSED" if next_run is None else "ENABLED",
            "next_run": next_run.isoformat() if next_run else None,
            "latest": asdict(latest) if latest else None,
        }


def _refusal(sentence: str, status: int = 400) -> JSONResponse:
    return JSONResponse({"error": sentence}, status_code=status)
