"""A counting relay for HTTP that forwards any method and path as bytes."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager

import httpx
import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from benchmarks.relay.ledger import Moment
from benchmarks.relay.line import Line
from local.ports import HOST, listen

#: headers that are not forwarded, because they belong to one connection (RFC 9110, 7.6.1) or are made anew
OF_A_CONNECTION = {b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"te", b"host"}
#: time limit in seconds for a request. It is long since a model may be slow; the function's own limit is shorter
PATIENCE_S = 600.0
#: no connection to the server is reused: if the server closed a connection just as the relay reuses it, the relay
#: itself would cause a failure
UNKEPT = httpx.Limits(max_connections=None, max_keepalive_connections=0)
Header = tuple[bytes, bytes]


class HttpRelay:
    """An ASGI application that forwards requests, and returns the answers with unchanged status, headers and body.

    If the server's answer breaks off or never comes, the relay breaks the caller's connection too. It does not answer
    502, because the server might have done what was requested.
    """

    def __init__(self, upstream: httpx.AsyncClient, line: Line) -> None:
        """`upstream` is a client whose base URL is the server's address."""
        self._upstream, self._line = upstream, line

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward one request."""
        asked = Request(scope, receive)
        try:
            body = await asked.body()
        except ClientDisconnect:
            return  # the request is incomplete, because its sender was killed
        ledger, request = self._line.ledger, self._line.enter(scope["path"], body)
        answer = None
        if not await ledger.falls(request, Moment.BEFORE):
            answer = await self._forward(asked, body)
            if await ledger.falls(request, Moment.AFTER):
                answer = None
        await _hand_back(answer, send)

    async def _forward(self, asked: Request, body: bytes) -> tuple[httpx.Response, bytes] | None:
        path = asked.scope["raw_path"] + (b"?" + asked.scope["query_string"] if asked.scope["query_string"] else b"")
        url = self._upstream.base_url.copy_with(raw_path=path)
        forwarded = httpx.Request(asked.method, url, headers=_passing(asked.headers.raw), content=body)
        try:
            response = await self._upstream.send(forwarded, stream=True)
            try:
                return response, b"".join([chunk async for chunk in response.aiter_raw()])
            finally:
                await response.aclose()
        except httpx.HTTPError:
            return None


def _passing(headers: Iterable[Header]) -> list[Header]:
    return [(name, value) for name, value in headers if name.lower() not in OF_A_CONNECTION]


async def _hand_back(answer: tuple[httpx.Response, bytes] | None, send: Send) -> None:
    if answer is None:  # the caller's answer was begun and cannot be ended, so its connection is closed
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"1")]})
        return
    response, body = answer
    headers = _passing(response.headers.raw)
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _Guest(uvicorn.Server):
    """A uvicorn server that does not handle the process's signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def http_relay(url: str, line: Line) -> AsyncIterator[int]:
    """Run a relay in front of the server at `url`, and yield the relay's port."""
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE_S, limits=UNKEPT, trust_env=False) as upstream:
        config = uvicorn.Config(
            HttpRelay(upstream, line),
            lifespan="off",
            ws="none",
            log_config=None,
            log_level="critical",
            access_log=False,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=1,
            server_header=False,
            date_header=False,
        )
        server = _Guest(config)
        with listen(HOST, 0) as listening:
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            try:
                yield int(listening.getsockname()[1])
            finally:
                server.should_exit = True
                await serving
