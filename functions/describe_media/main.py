"""What describes files: called by Cloud Tasks for one file that a tick saw, or for what the sweep found left over.

The canary calls it too, to have it probe what it needs.
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
    """One order: 200 with what came of it, in numbers; a 500 is called again."""
    if request.method == "GET":
        return Response("ok")
    try:
        order = ORDER.validate_json(await request.body())
    except ValidationError:
        return Response("the body is no order: neither {} nor a reference to a file\n", status_code=400)
    traceparent = traceparent_of(request.headers.get("traceparent", ""))
    with about(trace=trace_of(traceparent)):
        try:
            if isinstance(order, ProbeOrder):
                return JSONResponse((await probe(probes(order))).model_dump(mode="json"))
            return JSONResponse(dict(await run(describer(), order, traceparent)))
        except WriteConflict as error:  # nothing is wrong: its turn comes
            log(str(error))
            return Response(status_code=500)
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)
