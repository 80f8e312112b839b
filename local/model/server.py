"""The HTTP server of a model's API: passes calls on to a backend, and records every exchange."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Receive, Scope, Send

from local.model.calls import ApiError, Backend, Call, ConnectionCut, Fault, error_answer, event, named_in
from local.model.recorder import HUNG_UP, Recorder, Recording

log = logging.getLogger(__name__)


def build_app(backend: Backend, recorder: Recorder, more_routes: Sequence[BaseRoute] = ()) -> Starlette:
    """Return the application. The backend starts and stops with it."""

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        await backend.start()
        yield
        await backend.stop()

    async def tell_model(_: Request) -> JSONResponse:
        return JSONResponse(backend.report().as_json())

    async def tell_exchanges(request: Request) -> JSONResponse:
        after = request.query_params.get("after", "0")
        if not after.isdecimal():
            return JSONResponse({"error": "`after` is the number of an exchange, such as 12."}, 400)
        trace, about = (request.query_params.get(name, "") for name in ("trace", "about"))
        found = recorder.find(trace, int(after), about)
        return JSONResponse({"exchanges": [vars(exchange) for exchange in found], "last": recorder.last})

    async def tell_health(_: Request) -> JSONResponse:
        return JSONResponse({"ready": True})

    routes = [
        Route("/healthz", tell_health),
        Route("/model", tell_model),
        Route("/exchanges", tell_exchanges),
        *more_routes,
        Mount("/", app=ModelApi(backend, recorder)),
    ]
    return Starlette(routes=routes, lifespan=running)


class ModelApi:
    """The API: records one exchange per request, and cancels a request as soon as the caller hangs up."""

    def __init__(self, backend: Backend, recorder: Recorder) -> None:
        """Use a backend and a recorder, which exist as long as the server."""
        self._backend, self._recorder = backend, recorder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        request = Request(scope, receive)
        try:
            call = _call_in(request, await request.body())
        except ClientDisconnect:
            return
        if not call.method:
            unknown = ApiError(Fault.NOT_FOUND, f"This server does not support {call.http_method} {call.path}.")
            await JSONResponse(unknown.body(), unknown.fault.value)(scope, receive, send)
            return
        recording = self._recorder.begin(call)
        work = asyncio.create_task(self._serve(call, recording, send))
        hang_up = asyncio.create_task(_hung_up(receive))
        try:
            await asyncio.wait({work, hang_up}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hang_up.cancel()
            work.cancel()
            await asyncio.gather(hang_up, work, return_exceptions=True)
            recording.finish(HUNG_UP)
        if not work.cancelled():
            work.result()

    async def _serve(self, call: Call, recording: Recording, send: Send) -> None:
        try:
            if call.lacks_token:
                raise ApiError(Fault.UNAUTHENTICATED, "Vertex AI requires an OAuth 2 access token.")
            answer = await self._backend.answer(call)
        except ApiError as error:
            answer = error_answer(error)
        recording.status = answer.status
        await send(_start(answer.status, answer.headers, None if answer.stream else len(answer.body)))
        if answer.stream is None:
            recording.take(answer.body)
            recording.finish()
            await send({"type": "http.response.body", "body": answer.body})
            return
        try:
            async with aclosing(answer.stream) as stream:
                async for chunk in stream:
                    await send({"type": "http.response.body", "body": recording.take(chunk), "more_body": True})
        except ApiError as error:
            await send({"type": "http.response.body", "body": recording.take(event(error.body())), "more_body": True})
        except ConnectionCut:
            recording.finish()
            return  # uvicorn closes a connection whose response is incomplete
        recording.finish()
        await send({"type": "http.response.body", "body": b""})


def _call_in(request: Request, body: bytes) -> Call:
    path = request.url.path
    model, method = named_in(request.method, path, body)
    return Call(
        http_method=request.method,
        path=path,
        query=request.url.query,
        headers=dict(request.headers),
        body=body,
        model=model,
        method=method,
    )


def _start(status: int, headers: Mapping[str, str], length: int | None) -> dict[str, object]:
    own = {"content-length": str(length)} if length is not None else {}
    pairs = [(name.encode(), value.encode()) for name, value in {**headers, **own}.items()]
    return {"type": "http.response.start", "status": status, "headers": pairs}


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
