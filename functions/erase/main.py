"""What erases: called by Cloud Tasks with one thing to do, such as `{"job": "erase", "erasure": "…"}`.

It is a function of its own because it alone may delete documents, files and every version of what is archived.
"""

import functions_framework.aio
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shared.bootstrap import now
from shared.bootstrap.erase import jobs
from shared.errors import LullError
from shared.logs import about, log_failure, trace_of, traceparent_of
from shared.models.occasion import Occasion


class Order(BaseModel):
    """The body of a request: the name of a job, and the erasure that it is about."""

    model_config = ConfigDict(extra="forbid")

    job: str
    erasure: str


@functions_framework.aio.http
async def erase(request: Request) -> Response:
    """One run of one erasure: 200 with what was erased, in numbers; a 500 has Cloud Tasks call again."""
    if request.method == "GET":
        return Response("ok")
    try:
        order = Order.model_validate_json(await request.body())
        job = jobs()[order.job]
    except (ValidationError, KeyError):
        return Response('the body is no order, such as {"job": "erase", "erasure": "…"}\n', status_code=400)
    traceparent = traceparent_of(request.headers.get("traceparent", ""))
    occasion = Occasion(slot=now().isoformat(), traceparent=traceparent, erasure=order.erasure)
    with about(trace=trace_of(traceparent), job=order.job):
        try:
            return JSONResponse(dict(await job(occasion)))
        except LullError as error:
            log_failure(error)
            return Response(status_code=500)
