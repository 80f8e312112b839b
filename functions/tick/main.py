"""The tick: called by Cloud Tasks for one chat; reads what was written there, decides, plans, and carries out."""

import functions_framework.aio
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from shared.bootstrap.tick import ticker
from shared.errors import LullError
from shared.flows.tick import tick as run_tick
from shared.logs import about, log_failure
from shared.models.wake import Wake
from shared.requests import trace_of, traceparent_of


@functions_framework.aio.http
async def tick(request: Request) -> Response:
    """One wake: 200 once nothing is left to do now; a 500 has Cloud Tasks call again."""
    if request.method == "GET":
        return Response("ok")
    try:
        wake = Wake.model_validate_json(await request.body())
    except ValidationError:
        return Response("the body is no wake; it comes from the webhook", status_code=400)
    with about(trace=trace_of(traceparent_of(wake.traceparent)), agent=wake.key.agent, chat=wake.key.id):
        try:
            await run_tick(ticker(), wake)
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)
    return Response("done")
