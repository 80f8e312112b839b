"""Gemini's API through Google's client, google-genai: requests and answers are the API's own JSON.

The client's public methods convert answers to Python types. They drop unknown fields, and fail at one unexpected value,
although the answer must be paid for. They also return no raw stream. So this module, and no other, calls two private
methods of the client's `BaseApiClient`: `_build_request` and `_async_request` (docs/decisions/0041).
"""

import json
import math
import secrets
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AsyncExitStack, aclosing
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import httpx

from shared.base.background_import import finish_import, start_import
from shared.base.logs import current_trace
from shared.llm.gemini.credentials import GeminiAccess, model_path
from shared.llm.gemini.errors import GeminiApiError, translate_errors
from shared.llm.retries import Retries

if TYPE_CHECKING:  # its import takes half a second, so it is made in the background
    from google.genai._api_client import BaseApiClient, HttpRequest

PACKAGE: Final = "google.genai"
#: seconds to wait beyond the server's own time-out, so that the server answers with an error, which is free
GRACE_S: Final = 2
#: other lines of a stream of events, from the server or a proxy (html.spec.whatwg.org, server-sent events)
_IGNORED_LINES: Final = (":", "event:", "id:", "retry:")


class GeminiApi:
    """Calls Gemini's API over one pool of connections. Must be created inside the running event loop.

    Every call may raise ModelUnavailable or ModelRefused.
    """

    def __init__(self, access: GeminiAccess, base_url: str, timeout_s: float, tries: int) -> None:
        """If `base_url` is empty, Google's address is used. `timeout_s` is the time limit of one try."""
        start_import(PACKAGE)
        self.access, self._base_url, self._timeout_s = access, base_url, math.ceil(timeout_s)
        self._retries = Retries(tries)
        self._http = httpx.AsyncClient(verify=_tls(), event_hooks={"response": [_raise_for_status]})
        self._made: BaseApiClient | None = None

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def answer(self, model: str, body: Mapping[str, Any], method: str = "generateContent") -> object:
        """Return a model's whole answer; None if it is empty."""
        response = await self._send(f"{model_path(self.access, model)}:{method}", body, whole=True)
        with translate_errors():
            return json.loads(response.content) if response.content else None

    async def events(self, model: str, body: Mapping[str, Any]) -> AsyncGenerator[object]:
        """Yield the events of a streamed answer as they arrive."""
        path = f"{model_path(self.access, model)}:streamGenerateContent?alt=sse"
        response = await self._send(path, body, whole=False)
        with translate_errors():
            async with aclosing(response), aclosing(_events(response.aiter_bytes())) as events:
                async for text in events:
                    event = json.loads(text)
                    if isinstance(event, dict) and "error" in event:
                        raise _error_in_stream(event)
                    yield event

    async def _send(self, path: str, body: Mapping[str, Any], *, whole: bool) -> httpx.Response:
        """Return a successful response, read to its end if `whole`. Retries where that may help."""

        async def send_once() -> httpx.Response:
            with translate_errors():
                return await self._send_once(path, body, whole=whole)

        return await self._retries.run(path, send_once)

    async def _send_once(self, path: str, body: Mapping[str, Any], *, whole: bool) -> httpx.Response:
        client = await self._client()
        answered: Any = await client._async_request(new_request(client, path, body), stream=True)
        async with AsyncExitStack() as held:
            response: httpx.Response = await held.enter_async_context(aclosing(answered.response_stream))
            if whole:
                await response.aread()
            held.pop_all()  # the caller closes it
            return response

    async def _client(self) -> "BaseApiClient":
        await finish_import(PACKAGE)
        if self._made is None:
            self._made = make_client(self.access, self._base_url, self._timeout_s, self._http)
        return self._made


def make_client(access: GeminiAccess, base_url: str, timeout_s: int, http: httpx.AsyncClient) -> "BaseApiClient":
    """Return Google's client over a pool of connections. It gets no `retry_options`, so it retries nothing by itself.

    With Vertex AI, the client looks up the credentials, and renews the token, before a request.
    """
    from google.genai import Client
    from google.genai.types import HttpOptions

    options = HttpOptions(
        base_url=base_url or None,
        api_version="v1" if isinstance(access, str) else "v1beta1",
        # the header is spelled as in the client, which otherwise adds it a second time, with its own time-out
        headers={"user-agent": "lull", "X-Server-Timeout": str(timeout_s)},
        timeout=(timeout_s + GRACE_S) * 1_000,
        httpx_async_client=http,
        # for connections that lull does not use: without these, each would load the certificates again, for 50 ms
        client_args={"verify": _tls()},
        async_client_args={"ssl": _tls()},
    )
    if isinstance(access, str):
        return Client(enterprise=False, api_key=access, http_options=options)._api_client
    where: dict[str, Any] = {"project": access.project, "location": access.location, "credentials": access.credentials}
    return Client(enterprise=True, http_options=options, **where)._api_client


def new_request(client: "BaseApiClient", path: str, body: Mapping[str, Any]) -> "HttpRequest":
    """Return a request that calls a model's method. With Vertex AI, the token is added when the request is sent."""
    request = client._build_request("POST", path, dict(body))
    request.headers["traceparent"] = _traceparent()
    return request


@cache
def _tls() -> ssl.SSLContext:
    return httpx.create_ssl_context()


def _traceparent() -> str:
    """Return the header that links a call to the trace of the current update (w3.org/TR/trace-context)."""
    return f"00-{current_trace() or secrets.token_hex(16)}-{secrets.token_hex(8)}-01"


async def _raise_for_status(response: httpx.Response) -> None:
    """Raise GeminiApiError for an error response before Google's client reads the response.

    The client fails on unusual error responses. Its errors quote Gemini's text, which may quote the prompt.
    """
    if response.status_code == httpx.codes.OK:
        return
    await response.aread()
    try:
        body = json.loads(response.content)
    except (ValueError, RecursionError):
        body = {"error": {"message": response.text}}
    raise GeminiApiError(response.status_code, body, response.headers.get("retry-after", ""))


def _error_in_stream(event: dict[str, Any]) -> Exception:
    error = event["error"]
    code = error.get("code") if isinstance(error, dict) else None
    return GeminiApiError(code, event) if isinstance(code, int) else ValueError("an error without a code")


async def _events(chunks: AsyncIterator[bytes]) -> AsyncGenerator[str]:
    """Yield the data of server-sent events. Other text, such as an error's whole body, comes last."""
    data: list[str] = []
    other: list[str] = []
    async with aclosing(_lines(chunks)) as lines:
        async for line in lines:
            if line.startswith("data:"):
                data.append(line.removeprefix("data:"))
            elif not line and data:
                yield "\n".join(data)
                data = []
            elif line and not line.startswith(_IGNORED_LINES):
                other.append(line)
    for rest in (data, other):
        if rest:
            yield "\n".join(rest)


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncGenerator[str]:
    """Yield the lines, split at line feeds only: `splitlines` would also split at other characters, such as U+2028."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode().removesuffix("\r")
    if rest:
        yield rest.decode().removesuffix("\r")
