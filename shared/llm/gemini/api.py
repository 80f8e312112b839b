"""Gemini's API over HTTP (ai.google.dev/api/generate-content): requests and answers are JSON.

Google's Python client is not used: it takes a third of a tick's start, and doubles the time of a call.
"""

import asyncio
import json
import math
import random
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AsyncExitStack, aclosing
from datetime import timedelta
from typing import Any, Final

import httpx

from shared.base.logs import current_trace
from shared.llm.gemini.credentials import GeminiAccess, GeminiCredentials, model_path, models_url
from shared.llm.gemini.errors import RETRIED, GeminiApiError

#: seconds between two tries: the first pause, which doubles; the longest; and the most random jitter
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 8.0
JITTER: Final = 0.5
#: the longest wait in seconds that the API asks for and that all calls here respect; longer ones are tried sooner
LONGEST_CLOSED: Final = 300.0
#: seconds to wait beyond the server's own time-out: an answer with an error is free
GRACE_S: Final = 2.0
#: errors before a connection was made: nothing was asked. An answer that is late may have to be paid for, so the caller
#: decides whether to ask again
_NOT_CONNECTED: Final = (httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ConnectError)
#: other lines of a stream of events, from the server or a proxy (html.spec.whatwg.org, server-sent events)
_IGNORED_LINES: Final = (":", "event:", "id:", "retry:")


class GeminiApi:
    """One pool of connections, made inside the running loop.

    All calls raise GeminiApiError, httpx.HTTPError, httpx.InvalidURL and GoogleAuthError; for invalid JSON,
    ValueError or RecursionError.
    """

    def __init__(self, access: GeminiAccess, base_url: str, timeout_s: float, tries: int) -> None:
        """An empty `base_url` stands for Google's own; `timeout_s` is for one try."""
        self.access, self._tries, self._login = access, tries, GeminiCredentials(access)
        #: by path: until when the API asked to wait, by the monotonic clock, and its error
        self._closed: dict[str, tuple[float, GeminiApiError]] = {}
        limit = {"x-server-timeout": str(math.ceil(timeout_s))}
        waits_s = math.ceil(timeout_s) + GRACE_S
        url = models_url(access, base_url)
        self.client = httpx.AsyncClient(base_url=url, headers={"user-agent": "lull", **limit}, timeout=waits_s)

    async def aclose(self) -> None:
        """Close the connections."""
        await self.client.aclose()

    async def answer(self, model: str, body: Mapping[str, Any], method: str = "generateContent") -> object:
        """Return a model's whole answer; None if it is empty."""
        response = await self._send(f"{model_path(self.access, model)}:{method}", body, whole=True)
        return json.loads(response.content) if response.content else None

    async def events(self, model: str, body: Mapping[str, Any]) -> AsyncGenerator[object]:
        """Yield the events of a model's answer while it is written."""
        path = f"{model_path(self.access, model)}:streamGenerateContent?alt=sse"
        response = await self._send(path, body, whole=False)
        async with aclosing(response), aclosing(_events(response.aiter_bytes())) as events:
            async for text in events:
                event = json.loads(text)
                if isinstance(event, dict) and "error" in event:
                    raise _error_in_stream(event)
                yield event

    async def _send(self, path: str, body: Mapping[str, Any], *, whole: bool) -> httpx.Response:
        """Return a successful response, read to its end if `whole`. Retries where that may help."""
        if (closed := self._closed.get(path)) is not None and (left := closed[0] - time.monotonic()) > 0:
            closed[1].wait = timedelta(seconds=left)
            raise closed[1]
        for tried in range(1, self._tries + 1):
            try:
                return await self._send_once(path, body, whole=whole)
            except (GeminiApiError, *_NOT_CONNECTED) as cause:
                told = self._requested_wait(path, cause)
                if tried == self._tries or told > LONGEST_PAUSE or not _may_retry(cause):
                    raise
                pause = min(FIRST_PAUSE * 2 ** (tried - 1), LONGEST_PAUSE - JITTER)
            await asyncio.sleep(max(pause, told) + random.uniform(0, JITTER))
        raise ValueError(f"tries must be at least 1, not {self._tries}")

    def _requested_wait(self, path: str, cause: Exception) -> float:
        """Return the seconds that the API asks to wait. Until a longer wait is over, nothing here calls that path."""
        if not isinstance(cause, GeminiApiError) or cause.code not in RETRIED or cause.wait is None:
            return 0.0
        seconds = cause.wait.total_seconds()
        if LONGEST_PAUSE < seconds <= LONGEST_CLOSED:
            self._closed[path] = (time.monotonic() + seconds, cause)
        return seconds

    async def _send_once(self, path: str, body: Mapping[str, Any], *, whole: bool) -> httpx.Response:
        headers = {**await self._login.headers(), "traceparent": _traceparent()}
        request = self.client.build_request("POST", path, json=body, headers=headers)
        async with AsyncExitStack() as held:
            response = await held.enter_async_context(aclosing(await self.client.send(request, stream=True)))
            if whole or response.status_code != httpx.codes.OK:
                await response.aread()
            if response.status_code != httpx.codes.OK:
                raise _error_of(response)
            held.pop_all()  # the caller closes it
            return response


def _may_retry(cause: Exception) -> bool:
    return not isinstance(cause, GeminiApiError) or cause.code in RETRIED


def _traceparent() -> str:
    """Return the header that links a call to its update's trace (w3.org/TR/trace-context)."""
    return f"00-{current_trace() or secrets.token_hex(16)}-{secrets.token_hex(8)}-01"


def _error_of(response: httpx.Response) -> GeminiApiError:
    try:
        body = json.loads(response.content)
    except (ValueError, RecursionError):
        body = {"error": {"message": response.text}}
    return GeminiApiError(response.status_code, body, response.headers.get("retry-after", ""))


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
    """Yield lines as sent: `splitlines` would also split at other characters of a text."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode().removesuffix("\r")
    if rest:
        yield rest.decode().removesuffix("\r")
