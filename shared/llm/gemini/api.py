"""Gemini's API over HTTP (ai.google.dev/api/generate-content): requests and answers are JSON.

It is spoken without Google's client for Python: that takes a third of a tick's start, and twice the time of a call.
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

#: seconds between two tries: the first pause, which doubles, the longest, and what is added to each at random
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 8.0
JITTER: Final = 0.5
#: seconds of a wait that was asked for, for which all here leave a model alone; after a longer one some may ask sooner
LONGEST_CLOSED: Final = 300.0
#: seconds for which is waited after the server is to have given up: for what it answers with an error nobody pays
GRACE_S: Final = 2.0
#: a connection that was not made: nothing was asked. An answer that does not come in time may have to be paid for, so
#: whoever pays for calls decides whether to ask again
_MISSED: Final = (httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ConnectError)
#: what else a server, or a proxy before it, may say in a stream of events (html.spec.whatwg.org, server-sent events)
_UNUSED: Final = (":", "event:", "id:", "retry:")


class GeminiApi:
    """One pool of connections, to be made inside the running loop.

    All calls raise Refusal, httpx.HTTPError, httpx.InvalidURL and GoogleAuthError; for what is no JSON, ValueError or
    RecursionError.
    """

    def __init__(self, access: GeminiAccess, base_url: str, timeout_s: float, tries: int) -> None:
        """`base_url` is empty for Google's own; `timeout_s` is for one try."""
        self.access, self._tries, self._login = access, tries, GeminiCredentials(access)
        #: what asked to be left alone: until when, by the monotonic clock, and in which words
        self._closed: dict[str, tuple[float, GeminiApiError]] = {}
        limit = {"x-server-timeout": str(math.ceil(timeout_s))}
        waits_s = math.ceil(timeout_s) + GRACE_S
        url = models_url(access, base_url)
        self.client = httpx.AsyncClient(base_url=url, headers={"user-agent": "lull", **limit}, timeout=waits_s)

    async def aclose(self) -> None:
        """Closes its connections."""
        await self.client.aclose()

    async def answer(self, model: str, body: Mapping[str, Any], method: str = "generateContent") -> object:
        """A model's whole answer; None if it is empty."""
        response = await self._sent(f"{model_path(self.access, model)}:{method}", body, whole=True)
        return json.loads(response.content) if response.content else None

    async def events(self, model: str, body: Mapping[str, Any]) -> AsyncGenerator[object]:
        """The events of a model's answer while it is written."""
        path = f"{model_path(self.access, model)}:streamGenerateContent?alt=sse"
        response = await self._sent(path, body, whole=False)
        async with aclosing(response), aclosing(_events(response.aiter_bytes())) as events:
            async for text in events:
                event = json.loads(text)
                if isinstance(event, dict) and "error" in event:
                    raise _refusal_in_stream(event)
                yield event

    async def _sent(self, path: str, body: Mapping[str, Any], *, whole: bool) -> httpx.Response:
        """A response that answers, read if it is wanted whole; asked for again where that may help."""
        if (closed := self._closed.get(path)) is not None and (left := closed[0] - time.monotonic()) > 0:
            closed[1].wait = timedelta(seconds=left)
            raise closed[1]
        for tried in range(1, self._tries + 1):
            try:
                return await self._sent_once(path, body, whole=whole)
            except (GeminiApiError, *_MISSED) as cause:
                told = self._told_wait(path, cause)
                if tried == self._tries or told > LONGEST_PAUSE or not _may_pass(cause):
                    raise
                pause = min(FIRST_PAUSE * 2 ** (tried - 1), LONGEST_PAUSE - JITTER)
            await asyncio.sleep(max(pause, told) + random.uniform(0, JITTER))
        raise ValueError("nothing is asked in no try at all")

    def _told_wait(self, path: str, cause: Exception) -> float:
        """The seconds that the model asks to be left alone; until a longer wait is over nobody here asks it again."""
        if not isinstance(cause, GeminiApiError) or cause.code not in RETRIED or cause.wait is None:
            return 0.0
        seconds = cause.wait.total_seconds()
        if LONGEST_PAUSE < seconds <= LONGEST_CLOSED:
            self._closed[path] = (time.monotonic() + seconds, cause)
        return seconds

    async def _sent_once(self, path: str, body: Mapping[str, Any], *, whole: bool) -> httpx.Response:
        headers = {**await self._login.headers(), "traceparent": _traceparent()}
        request = self.client.build_request("POST", path, json=body, headers=headers)
        async with AsyncExitStack() as held:
            response = await held.enter_async_context(aclosing(await self.client.send(request, stream=True)))
            if whole or response.status_code != httpx.codes.OK:
                await response.aread()
            if response.status_code != httpx.codes.OK:
                raise _refusal(response)
            held.pop_all()  # whoever asked closes it
            return response


def _may_pass(cause: Exception) -> bool:
    return not isinstance(cause, GeminiApiError) or cause.code in RETRIED


def _traceparent() -> str:
    """By it a call is found in the trace of its update (w3.org/TR/trace-context)."""
    return f"00-{current_trace() or secrets.token_hex(16)}-{secrets.token_hex(8)}-01"


def _refusal(response: httpx.Response) -> GeminiApiError:
    try:
        body = json.loads(response.content)
    except (ValueError, RecursionError):
        body = {"error": {"message": response.text}}
    return GeminiApiError(response.status_code, body, response.headers.get("retry-after", ""))


def _refusal_in_stream(event: dict[str, Any]) -> Exception:
    error = event["error"]
    code = error.get("code") if isinstance(error, dict) else None
    return GeminiApiError(code, event) if isinstance(code, int) else ValueError("an error without a code")


async def _events(chunks: AsyncIterator[bytes]) -> AsyncGenerator[str]:
    """The data of server-sent events. What is no event is one of its own at the end: a whole body, such as an error."""
    data: list[str] = []
    other: list[str] = []
    async with aclosing(_lines(chunks)) as lines:
        async for line in lines:
            if line.startswith("data:"):
                data.append(line.removeprefix("data:"))
            elif not line and data:
                yield "\n".join(data)
                data = []
            elif line and not line.startswith(_UNUSED):
                other.append(line)
    for rest in (data, other):
        if rest:
            yield "\n".join(rest)


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncGenerator[str]:
    """Lines as the wire has them: a text may hold characters that `splitlines` takes for their ends."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode().removesuffix("\r")
    if rest:
        yield rest.decode().removesuffix("\r")
