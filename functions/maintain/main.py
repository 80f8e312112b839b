"""Maintains the deployment. Only Cloud Scheduler calls this function, with the name of one job.

`{"job": "register"}` registers the bots' webhooks at Telegram; `{"job": "canary"}` tests that updates arrive. This is a
separate function, which only Cloud Scheduler may call, because it has every bot's token, and the webhook's secret and
address.
"""

import functions_framework.aio
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shared.base.errors import LullError
from shared.base.logs import about, log, log_failure, trace_of, traceparent_of
from shared.values.caller import is_called_by
from shared.wiring.maintain import CLOCK, jobs


class MaintainRequest(BaseModel):
    """The body of a scheduled request: a job's name, without any parameters."""

    model_config = ConfigDict(extra="forbid")

    job: str


@functions_framework.aio.http
async def maintain(request: Request) -> Response:
    """Run one job. Answers 200 with the result. Answers 500 if the job failed, and Cloud Scheduler then calls again."""
    if request.method == "GET":
        return Response("ok")
    if not is_called_by(CLOCK, request.headers.items()):
        log("a caller that is not the scheduler was refused")
        return Response(status_code=403)
    try:
        name = MaintainRequest.model_validate_json(await request.body()).job
        job = jobs()[name]
    except (ValidationError, KeyError):
        known = ", ".join(f'{{"job": "{name}"}}' for name in jobs())
        return Response(f"unknown job; expected one of: {known}\n", status_code=400)
    with about(trace=trace_of(traceparent_of(request.headers.get("traceparent", ""))), job=name):
        try:
            done = await job()
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)
    return JSONResponse(done.told, status_code=200 if done.is_well else 500)
