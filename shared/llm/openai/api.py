"""The official client of OpenAI's API over one pool of connections."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from functools import cached_property, partial
from typing import Any, Final

import httpx2
from openai import AsyncOpenAI, AsyncStream, DefaultAsyncHttpxClient, Omit

from shared.base.logs import current_trace
from shared.llm.openai.endpoint import OpenAIEndpoint
from shared.llm.openai.errors import translate_errors
from shared.llm.openai.features import RefusedFeatures, features_in
from shared.llm.retries import Retries

#: the time limit of connecting in seconds; and the most bytes of an answer, which may have a large picture
CONNECT_S: Final = 10.0
MOST_BYTES: Final = 32 * 1024 * 1024
#: the client needs a key, also for servers that take none; it is not sent
_NO_KEY: Final = "none"


class OpenAIApi:
    """Calls one server. Every call may raise ModelUnavailable or ModelRefused (also its subclass FeatureRefused)."""

    def __init__(self, endpoint: OpenAIEndpoint, timeout_s: float, tries: int) -> None:
        """`timeout_s` limits one try. The client is made with the first call, inside the running event loop."""
        self.endpoint, self.timeout_s, self.tries = endpoint, timeout_s, tries
        self.retries, self.features = Retries(tries), RefusedFeatures()

    @cached_property
    def client(self) -> AsyncOpenAI:
        """The official client. It does not retry, and takes no organization or project from the environment."""
        timeout = httpx2.Timeout(self.timeout_s, connect=min(CONNECT_S, self.timeout_s))
        return AsyncOpenAI(
            api_key=self.endpoint.api_key.strip() or _NO_KEY,
            base_url=self.endpoint.base_url,
            organization="",
            project="",
            max_retries=0,
            timeout=timeout,
            # an answer that unpacks to gigabytes would pass any limit of its bytes
            default_headers={"user-agent": "lull", "accept-encoding": "identity"},
            # a prompt goes to the configured address and to no other
            http_client=DefaultAsyncHttpxClient(
                timeout=timeout, follow_redirects=False, event_hooks={"response": [_limit_size]}
            ),
        )

    async def aclose(self) -> None:
        """Close the connections."""
        if "client" in self.__dict__:
            await self.client.close()

    async def post(self, key: str, path: str, body: Mapping[str, Any]) -> httpx2.Response:
        """Send a request, and return the whole answer. A wait that the server requests applies to `key` (a model)."""
        return await self.retries.run(key, partial(self._post_once, path, body))

    async def open_stream(self, key: str, body: Mapping[str, Any]) -> AsyncStream[object]:
        """Request a chat completion and return its open stream, which the caller closes. `key` is the model."""
        return await self.retries.run(key, partial(self._open_once, body))

    async def _post_once(self, path: str, body: Mapping[str, Any]) -> httpx2.Response:
        with translate_errors(self.endpoint.provider, features_in(body)):
            # this limits the whole call: some servers send blanks while they work, so each single read may be in time
            async with asyncio.timeout(self.timeout_s):
                return await self.client.post(path, cast_to=httpx2.Response, body=body, options=self._options())

    async def _open_once(self, body: Mapping[str, Any]) -> AsyncStream[object]:
        with translate_errors(self.endpoint.provider, features_in(body)):
            return await self.client.post(
                "/chat/completions",
                cast_to=object,
                body=body,
                options=self._options(),
                stream=True,
                stream_cls=AsyncStream[object],
            )

    def _options(self) -> Any:
        """Return request options: a `traceparent` header (w3.org/TR/trace-context), and markers that omit the headers
        which the client would fill from environment variables.
        """
        trace = f"00-{current_trace() or secrets.token_hex(16)}-{secrets.token_hex(8)}-01"
        headers: dict[str, str | Omit] = {"traceparent": trace}
        headers |= {"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()}
        if not self.endpoint.api_key.strip():
            headers["Authorization"] = Omit()
        return {"headers": headers}


async def _limit_size(response: httpx2.Response) -> None:
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _LimitedStream(response.stream)


class _LimitedStream(httpx2.AsyncByteStream):
    """The bytes of an answer, as a stream that raises ReadError after more than MOST_BYTES."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream, self._left = stream, MOST_BYTES

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise httpx2.ReadError("the answer is too large")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
