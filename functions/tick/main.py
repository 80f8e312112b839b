"""The tick: processes the new messages of one chat, whenever Cloud Tasks calls it. It reads the inbox, decides whether
to answer, plans the answer, and carries the plan out.

A webhook that has just started calls this function, so that an instance is running before the first tick is due. The
canary (a regular test of the deployment) calls the function to check that the function can reach the services that it
needs. The console calls the function to rehearse an earlier answer: the function assembles the prompt of that answer
again, or also lets a model plan again.
"""

import gc

gc.disable()  # imports make no garbage; collecting it would take a tenth of the start, while a person waits

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
from shared.values.rehearsal import RehearsalOrder
from shared.values.wake import Wake
from shared.wiring.tick import tick_services
from shared.wiring.tick_probes import probes

gc.freeze()  # later collections skip these objects, also while the first tick imports Google's client
gc.enable()

Order = Wake | WarmRequest | ProbeOrder | RehearsalOrder
ORDER: TypeAdapter[Order] = TypeAdapter(Order)


@functions_framework.aio.http
async def tick(request: Request) -> Response:
    """Run one tick of a chat. Answers 200 once there is nothing left to do for now. Answers 500 otherwise, and Cloud
    Tasks then calls again.
    """
    if request.method == "GET":
        return Response("ok")
    try:
        order = ORDER.validate_json(await request.body())
    except ValidationError:
        return Response("invalid body: expected a wake, or a job `warm`, `probe` or `rehearse`", status_code=400)
    with about(**_fields(order, request.headers.get("traceparent", ""))):
        try:
            if isinstance(order, ProbeOrder):
                return _report_response(await probe(probes(order)))
            if isinstance(order, RehearsalOrder):
                return await _rehearse(order)
            if isinstance(order, WarmRequest):
                await warm(tick_services().chats)
                await finish_imports()  # without a request, an instance gets no processor time for imports
            else:
                await run_tick(tick_services(), order)
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)
    return Response("done")


async def _rehearse(order: RehearsalOrder) -> Response:
    # imported here because only the console asks for rehearsals, and answers must not wait for these modules
    from shared.wiring.rehearsing import rehearse_moment

    rehearsal = await rehearse_moment(order)
    return Response(rehearsal.model_dump_json(), media_type="application/json")


def _report_response(report: ProbeReport) -> Response:
    return Response(report.model_dump_json(), media_type="application/json")


def _fields(order: Order, traceparent: str) -> dict[str, str]:
    if not isinstance(order, Wake):
        return {"trace": trace_of(traceparent_of(traceparent)), "job": order.job}
    return {"trace": trace_of(traceparent_of(order.traceparent)), "agent": order.key.agent, "chat": order.key.id}
