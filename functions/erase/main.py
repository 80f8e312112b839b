"""Deletes people's data. Cloud Tasks calls this function for one deletion, such as `{"job": "erase", "erasure": "…"}`,
and to continue a rebuild of derived data, since a rebuild deletes the data that it replaces.

The canary (a regular test of the deployment) also calls this function, to check that the function can reach the
services that it needs. Deletion has a function of its own, so that no other function needs the permission to delete
documents, files and all versions of archived conversations.
"""

from typing import Literal

import functions_framework.aio
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shared.base.errors import LullError
from shared.base.logs import about, log_failure, trace_of, traceparent_of
from shared.upkeep.jobs.probe import probe
from shared.values.canary import ProbeOrder
from shared.values.job_run import JobRun
from shared.wiring import now
from shared.wiring.erase import jobs, probes


class EraseRequest(BaseModel):
    """The body of a request: a job's name, and the id of the deletion."""

    model_config = ConfigDict(extra="forbid")

    job: Literal["erase"]
    erasure: str


class RebuildRequest(BaseModel):
    """The body of a request to continue a rebuild."""

    model_config = ConfigDict(extra="forbid")

    job: Literal["rebuild"]


ORDER: TypeAdapter[EraseRequest | RebuildRequest | ProbeOrder] = TypeAdapter(EraseRequest | RebuildRequest | ProbeOrder)


@functions_framework.aio.http
async def erase(request: Request) -> Response:
    """Run one step of a deletion or a rebuild. Answers 200 with counts. Answers 500 after a failure, and Cloud Tasks
    then calls again.
    """
    if request.method == "GET":
        return Response("ok")
    try:
        order = ORDER.validate_json(await request.body())
    except ValidationError:
        return Response('invalid body: expected {"job": "erase", "erasure": "…"}\n', status_code=400)
    traceparent = traceparent_of(request.headers.get("traceparent", ""))
    with about(trace=trace_of(traceparent), job=order.job):
        try:
            if isinstance(order, ProbeOrder):
                return JSONResponse((await probe(probes(order))).model_dump(mode="json"))
            deletion = order.erasure if isinstance(order, EraseRequest) else ""
            job_run = JobRun(scheduled_for=now().isoformat(), traceparent=traceparent, deletion=deletion)
            return JSONResponse(dict(await jobs()[order.job](job_run)))
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)
