"""The scheduled work: called by Cloud Scheduler with the name of one job, such as `{"job": "sweep"}`.

It is named after the work that it is there for; so far its jobs sweep and archive.
"""

import functions_framework.aio
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shared.bootstrap import now
from shared.bootstrap.summarize import jobs
from shared.errors import LullError
from shared.logs import about, log_failure, trace_of, traceparent_of
from shared.models.occasion import Occasion


class Order(BaseModel):
    """The body of a scheduled request."""

    job: str


@functions_framework.aio.http
async def summarize(request: Request) -> Response:
    """One run of one job: 200 with what it did, in numbers; a 500 has Cloud Scheduler call again."""
    if request.method == "GET":
        return Response("ok")
    try:
        name = Order.model_validate_json(await request.body()).job
        job = jobs()[name]
    except (ValidationError, KeyError):
        known = ", ".join(f'{{"job": "{name}"}}' for name in jobs())
        return Response(f"the body names no job that there is; it is one of: {known}\n", status_code=400)
    traceparent = traceparent_of(request.headers.get("traceparent", ""))
    with about(trace=trace_of(traceparent), job=name):
        try:
            return JSONResponse(dict(await job(Occasion(slot=_slot_of(request), traceparent=traceparent))))
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)


def _slot_of(request: Request) -> str:
    """For when the run was scheduled: the same each time that it is delivered. By hand: now."""
    return request.headers.get("X-CloudScheduler-ScheduleTime") or now().isoformat()
