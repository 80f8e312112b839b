"""The tick: called by Cloud Tasks for one chat. It reads the inbox, decides, plans, and carries the plan out.

A webhook that has just started calls this function, so that an instance is running before the first tick is due. The
canary calls the function to check the services that it needs.
"""

import gc

gc.disable()  # imports make no garbage, and looking for it takes a tenth of the start, for which a person waits

import functions_framework.aio
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from shared.base.background_import import finish_imports
from shared.base.errors import LullError
from shared.base.logs import about, log_failure, trace_of, traceparent_of
from shared.chat.jobs.warm import WarmRequest, warm
from shared.turn.jobs.tick import tick as run_tick
from shared.upkeep.jobs.probe import probe
from shared.values.canary import ProbeOrder, ProbeReport
from shared.values.wake import Wake
from shared.wiring.tick import tick_services
from shared.wiring.tick_probes import probes

gc.freeze()  # nor are these objects examined later, when Google's client is imported during the first tick
gc.enable()

ORDER: TypeAdapter[Wake | WarmRequest | ProbeOrder] = TypeAdapter(Wake | WarmRequest | ProbeOrder)


@functions_framework.aio.http
async def tick(request: Request) -> Response:
    """Run one tick of a chat. Answers 200 once nothing is left to do now, or 500; Cloud Tasks then calls again."""
    if request.method == "GET":
        return Response("ok")
    try:
        order = ORDER.validate_json(await request.body())
    except ValidationError:
        return Response("invalid body: expected a wake, or one of the jobs `warm` and `probe`", status_code=400)
    with about(**_fields(order, request.headers.get("traceparent", ""))):
        try:
            if isinstance(order, ProbeOrder):
                return _report_response(await probe(probes(order)))
            if isinstance(order, WarmRequest):
                await warm(tick_services().chats)
                await finish_imports()  # without a request, an instance gets no processor time for imports
            else:
                await run_tick(tick_services(), order)
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)
    return Response("done")


def _report_response(report: ProbeReport) -> Response:
    return Response(report.model_dump_json(), media_type="application/json")


def _fields(order: Wake | WarmRequest | ProbeOrder, traceparent: str) -> dict[str, str]:
    if not isinstance(order, Wake):
        return {"trace": trace_of(traceparent_of(traceparent)), "job": order.job}
    return {"trace": trace_of(traceparent_of(order.traceparent)), "agent": order.key.agent, "chat": order.key.id}
