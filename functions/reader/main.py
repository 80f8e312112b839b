"""What reads pages of the web for the tick: called with an address, answers with the page's text, or why there is none.

It is a function of its own because it reads what strangers wrote: its account has no role, its environment no secret.
"""

import functions_framework.aio
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from shared.bootstrap.reader import reading
from shared.flows.read_page import read_page
from shared.logs import about, trace_of, traceparent_of


class Order(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(extra="forbid")

    url: str
    #: whether no person wrote the address
    is_automatic: bool = True


@functions_framework.aio.http
async def reader(request: Request) -> Response:
    """One page: 200 with a PageRead as JSON, also where the page cannot be read."""
    if request.method == "GET":
        return Response("ok")
    try:
        order = Order.model_validate_json(await request.body())
    except ValidationError:
        return Response('the body is no order; it is like {"url": "https://…"}\n', status_code=400)
    with about(trace=trace_of(traceparent_of(request.headers.get("traceparent", "")))):
        page = await read_page(reading(), order.url, is_automatic=order.is_automatic)
    return Response(page.model_dump_json(), media_type="application/json")
