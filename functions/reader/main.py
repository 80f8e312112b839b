"""Reads content from strangers: web pages for the tick (`/`), and files that people sent (`/media`, `/voice`).

This is a separate function because parsers may have vulnerabilities: the function's account has no role, and its
environment has no secret.
"""

import functions_framework.aio
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from shared.base.logs import about, trace_of, traceparent_of
from shared.reader.jobs.prepare_media import prepare_media
from shared.reader.jobs.read_page import read_page
from shared.values.page import PageRequest
from shared.values.prepared import SPEECH
from shared.wiring.reader import framed, page_reader, preparer


@functions_framework.aio.http
async def reader(request: Request) -> Response:
    """Read a page or file. Answers 200 even if reading fails. The body is a PageResult as JSON or, if a file was sent,
    the prepared file in lull's binary format (`framed`).
    """
    if request.method == "GET":
        return Response("ok")
    with about(trace=trace_of(traceparent_of(request.headers.get("traceparent", "")))):
        path = request.url.path.strip("/")
        return await (_file(request, path) if path in {"media", "voice"} else _page(request))


async def _page(request: Request) -> Response:
    try:
        order = PageRequest.model_validate_json(await request.body())
    except ValidationError:
        return Response('invalid body: expected {"url": "https://…"}\n', status_code=400)
    page = await read_page(page_reader(), order.url, is_automatic=order.is_automatic)
    return Response(page.model_dump_json(), media_type="application/json")


async def _file(request: Request, path: str) -> Response:
    kind = SPEECH if path == "voice" else request.query_params.get("kind", "")
    made = await prepare_media(preparer(), kind, request.query_params.get("mime", ""), request.stream())
    return Response(framed(made), media_type="application/octet-stream")
