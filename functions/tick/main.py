"""The tick: called by Cloud Tasks for one chat; reads what was written there, decides, plans, and carries out.

A webhook that has just started calls it too, so that it has started before the first tick is due.
Cloud Scheduler calls it daily too, to register the bots: no other function has their tokens.
"""

import functions_framework.aio
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shared.bootstrap.tick import registrar, ticker
from shared.errors import LullError
from shared.flows.register import register_all
from shared.flows.tick import tick as run_tick
from shared.flows.warm import warm
from shared.logs import about, log_failure, trace_of, traceparent_of
from shared.models.registration import Registration
from shared.models.wake import Wake
from shared.models.warming import Warming

ORDER: TypeAdapter[Wake | Registration | Warming] = TypeAdapter(Wake | Registration | Warming)


@functions_framework.aio.http
async def tick(request: Request) -> Response:
    """One wake: 200 once nothing is left to do now. One registration: 200 with what was set. A 500 is called again."""
    if request.method == "GET":
        return Response("ok")
    try:
        order = ORDER.validate_json(await request.body())
    except ValidationError:
        return Response("the body is neither a wake nor one of the jobs `register` and `warm`", status_code=400)
    with about(**_fields(order, request.headers.get("traceparent", ""))):
        try:
            if isinstance(order, Registration):
                return JSONResponse(dict(await register_all(registrar(), order.webhook_url)))
            if isinstance(order, Warming):
                await warm(ticker().chats)
            else:
                await run_tick(ticker(), order)
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)
    return Response("done")


def _fields(order: Wake | Registration | Warming, traceparent: str) -> dict[str, str]:
    if not isinstance(order, Wake):
        return {"trace": trace_of(traceparent_of(traceparent)), "job": order.job}
    return {"trace": trace_of(traceparent_of(order.traceparent)), "agent": order.key.agent, "chat": order.key.id}
