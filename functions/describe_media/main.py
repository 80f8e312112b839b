"""Lets a model describe photos, voice notes and other files, and stores the descriptions. Cloud Tasks calls this
function for one file of a new message, or for the pending files that a sweep (a check for leftover work) found.

The canary (a regular test of the deployment) also calls this function, to check that the function can reach the
services that it needs.
"""

import functions_framework.aio
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shared.base.errors import LullError, WriteConflict
from shared.base.logs import about, log, log_failure, trace_of, traceparent_of
from shared.media.jobs import describe_media as run
from shared.upkeep.jobs.probe import probe
from shared.values.canary import ProbeOrder
from shared.values.reference import DescribeRequest
from shared.wiring.describe_media import describer, probes

ORDER: TypeAdapter[DescribeRequest | ProbeOrder] = TypeAdapter(DescribeRequest | ProbeOrder)


@functions_framework.aio.http
async def describe_media(request: Request) -> Response:
    """Describe one file, or the pending files. Answers 200 with counts of outcomes. Answers 500 after a failure, and
    Cloud Tasks then calls again.
    """
    if request.method == "GET":
        return Response("ok")
    try:
        order = ORDER.validate_json(await request.body())
    except ValidationError:
        return Response("invalid body: expected {} or a file reference\n", status_code=400)
    traceparent = traceparent_of(request.headers.get("traceparent", ""))
    with about(trace=trace_of(traceparent)):
        try:
            if isinstance(order, ProbeOrder):
                return JSONResponse((await probe(probes(order))).model_dump(mode="json"))
            return JSONResponse(dict(await run(describer(), order, traceparent)))
        except WriteConflict as error:  # not a failure: another run is describing the file, and this run is retried
            log(str(error))
            return Response(status_code=500)
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)
