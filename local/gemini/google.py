"""The google backend: Google's own API, passed through as it is; the key stays in the caller's header."""

from collections.abc import AsyncGenerator, Iterable

import httpx

from local.gemini.calls import Answer, ApiError, Call, ConnectionCut, Fault
from local.gemini.state import ModelReport, ModelState

UPSTREAM = "https://generativelanguage.googleapis.com"

#: seconds to wait for an answer when the caller does not say
LIMIT_S = 600.0

#: what belongs to one connection and not to the message (RFC 9110 §7.6.1), and what httpx makes itself
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
    """Passes each call on and each answer back, streams as they come."""

    def __init__(self, upstream: str = UPSTREAM) -> None:
        """`upstream` is the address of the API."""
        self._upstream = upstream
        self._client = httpx.AsyncClient(base_url=upstream)

    async def start(self) -> None:
        """Nothing to prepare: connections are made when they are needed."""

    async def stop(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def report(self) -> ModelReport:
        """Always ready: Google's models are."""
        return ModelReport(state=ModelState.READY, name="Gemini", note="Google's own, over the network.")

    async def answer(self, call: Call) -> Answer:
        """Google's answer, or 503 and 504 in its form when there is none."""
        request = self._client.build_request(
            call.http_method,
            httpx.URL(path=call.path, query=call.query.encode()),
            content=call.body,
            headers={**_of_the_message(call.headers.items()), "accept-encoding": "identity"},
            timeout=httpx.Timeout(call.limit_s or LIMIT_S, connect=10),
        )
        try:
            response = await self._client.send(request, stream=True)
            headers = _of_the_message(response.headers.items())
            if "text/event-stream" in response.headers.get("content-type", ""):
                return Answer(status=response.status_code, headers=headers, stream=_relay(response))
            body = await response.aread()
        except httpx.TimeoutException as cause:
            raise ApiError(Fault.DEADLINE_EXCEEDED, f"{self._upstream} did not answer in time. Try again.") from cause
        except httpx.TransportError as cause:
            why = f"{self._upstream} could not be reached ({type(cause).__name__}). Check the network, then try again."
            raise ApiError(Fault.UNAVAILABLE, why) from cause
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
