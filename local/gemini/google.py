"""The google backend: passes calls to Google's API unchanged. The key stays in the caller's header."""

import asyncio
from collections.abc import AsyncGenerator, Iterable

import httpx

from local.gemini.calls import Answer, ApiError, Call, ConnectionCut, Fault
from local.gemini.state import ModelReport, ModelState

UPSTREAM = "https://generativelanguage.googleapis.com"

#: seconds to wait for a response if the caller sets no limit
LIMIT_S = 600.0
#: seconds for checking whether the API can be reached
LOOK_S = 5.0

#: headers of a connection, not of the message (RFC 9110 §7.6.1), and those that httpx sets itself
_OF_THE_CONNECTION = {
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
}


class GoogleBackend:
    """Passes on each call and each response, streams piece by piece."""

    def __init__(self, upstream: str = UPSTREAM) -> None:
        """Use the API at the address `upstream`."""
        self._upstream = upstream
        self._client = httpx.AsyncClient(base_url=upstream)
        self._state, self._error = ModelState.STARTING, ""
        self._looking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to check whether the API can be reached. Calls do not wait for the check."""
        self._looking = asyncio.create_task(self._look())

    async def stop(self) -> None:
        """Close the connections."""
        if self._looking:
            self._looking.cancel()
            await asyncio.wait({self._looking})
        await self._client.aclose()

    def report(self) -> ModelReport:
        """Return the state: ready, unless the API could not be reached at the last call."""
        return ModelReport(state=self._state, name="Gemini", note="Google's own, over the network.", error=self._error)

    async def _look(self) -> None:
        try:
            await self._client.get("/", timeout=LOOK_S)
        except httpx.TransportError as cause:
            self._state, self._error = ModelState.FAILED, self._away(cause)
        else:
            self._state, self._error = ModelState.READY, ""

    def _away(self, cause: httpx.TransportError) -> str:
        return f"{self._upstream} could not be reached ({type(cause).__name__}). Check the network, then try again."

    async def answer(self, call: Call) -> Answer:
        """Return Google's response. Raises ApiError with 503 or 504 if there is none."""
        request = self._client.build_request(
            call.http_method,
            httpx.URL(path=call.path, query=call.query.encode()),
            content=call.body,
            headers={**_of_the_message(call.headers.items()), "accept-encoding": "identity"},
            timeout=httpx.Timeout(call.limit_s or LIMIT_S, connect=10),
        )
        try:
            response = await self._client.send(request, stream=True)
            self._state, self._error = ModelState.READY, ""
            headers = _of_the_message(response.headers.items())
            if "text/event-stream" in response.headers.get("content-type", ""):
                return Answer(status=response.status_code, headers=headers, stream=_relay(response))
            body = await response.aread()
        except httpx.TimeoutException as cause:
            raise ApiError(Fault.DEADLINE_EXCEEDED, f"{self._upstream} did not answer in time. Try again.") from cause
        except httpx.TransportError as cause:
            self._state, self._error = ModelState.FAILED, self._away(cause)
            raise ApiError(Fault.UNAVAILABLE, self._error) from cause
        return Answer(status=response.status_code, headers=headers, body=body)


async def _relay(response: httpx.Response) -> AsyncGenerator[bytes]:
    try:
        async for chunk in response.aiter_bytes():
            yield chunk
    except httpx.TransportError as cause:
        raise ConnectionCut from cause
    finally:
        await response.aclose()


def _of_the_message(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name: value for name, value in headers if name.lower() not in _OF_THE_CONNECTION}
