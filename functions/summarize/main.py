"""Runs the scheduled work on conversations, such as writing notes about them.

Cloud Scheduler calls this function with the name of one job, such as `{"job": "notes"}`, which finds the items that are
due. Cloud Tasks calls the function for one such item, such as `{"job": "note", "conversation": "conv-…"}`. The canary
(a regular test of the deployment) calls the function to start a sweep (a check for leftover work), and to check that
the function can reach the services that it needs. The console calls the function to get the embedding of a search
query.
"""

import functions_framework.aio
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shared.base.errors import LullError
from shared.base.logs import about, log_failure, trace_of, traceparent_of
from shared.upkeep.jobs.probe import probe
from shared.values.canary import ProbeOrder
from shared.values.job_run import JobRun
from shared.values.question_vector import VectorOrder
from shared.wiring import now
from shared.wiring.summarize import jobs, probes, question_vector


class SummarizeRequest(BaseModel):
    """The body of a request: a job's name, and the item if the job is about one."""

    job: str
    conversation: str = ""
    chat: str = ""
    person: str = Field(default="", pattern=r"^\d{0,20}$")


Order = ProbeOrder | VectorOrder | SummarizeRequest
ORDER: TypeAdapter[Order] = TypeAdapter(Order)


@functions_framework.aio.http
async def summarize(request: Request) -> Response:
    """Run one job. Answers 200 with counts of its results, or 500 if the job failed; the caller then tries again."""
    if request.method == "GET":
        return Response("ok")
    try:
        order = ORDER.validate_json(await request.body())
        if isinstance(order, SummarizeRequest) and order.job not in jobs():
            raise KeyError(order.job)
    except (ValidationError, KeyError):
        known = ", ".join(f'{{"job": "{name}"}}' for name in jobs())
        return Response(f"unknown job; expected one of: {known}\n", status_code=400)
    traceparent = traceparent_of(request.headers.get("traceparent", ""))
    with about(trace=trace_of(traceparent), job=order.job):
        try:
            if isinstance(order, ProbeOrder):
                return JSONResponse((await probe(probes(order))).model_dump(mode="json"))
            if isinstance(order, VectorOrder):
                return JSONResponse((await question_vector(order)).model_dump(mode="json"))
            about_one = order.model_dump(exclude={"job"})
            job_run = JobRun(scheduled_for=_scheduled_for(request), traceparent=traceparent, **about_one)
            return JSONResponse(dict(await jobs()[order.job](job_run)))
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)


def _scheduled_for(request: Request) -> str:
    """Return the time for which Cloud Scheduler scheduled this run, which stays the same when Cloud Scheduler repeats a
    call. If the call is not from Cloud Scheduler, return the current time.
    """
    return request.headers.get("X-CloudScheduler-ScheduleTime") or now().isoformat()
