"""Requests to known web services, limited in time and size."""

import asyncio
from collections.abc import Mapping
from functools import cached_property
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import httpx

from shared.base.errors import ToolFailed

#: the maximum seconds for an answer: less than a tool's time-out
LIMIT_S: Final = 8.0
#: the maximum bytes of an answer: more than any of these services sends
MOST_BYTES: Final = 500_000
#: without compression, so that the bytes that are sent are the bytes that are read
_HEADERS: Final = {"user-agent": "lull", "accept-encoding": "identity"}


class Fetcher:
    """An HTTP client for known web services. It follows no redirects, and must be created inside the running loop."""

    def __init__(self, instead: Mapping[str, str], limit_s: float = LIMIT_S) -> None:
        """`instead` maps an origin (scheme and host) to the origin that is requested in its place."""
        self._instead, self._limit_s = instead, limit_s

    @cached_property
    def _client(self) -> httpx.AsyncClient:
        """The client with one pool of connections. Creating it takes 50 ms, so it is created on first use."""
        return httpx.AsyncClient(headers=_HEADERS, timeout=self._limit_s, follow_redirects=False)

    async def aclose(self) -> None:
        await self._client.aclose()

    async def text(self, url: str) -> str:
        """Return the text at an address. Raises ToolFailed with a sentence for the model that names only the host."""
        host = urlsplit(url).hostname
        try:
            async with asyncio.timeout(self._limit_s):
                status, body = await self._read(self._place(url))
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as cause:  # a time-out is an OSError
            raise ToolFailed(f"{host} did not answer. Say that it cannot be looked up just now.") from cause
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            raise ToolFailed(f"{host} was asked too often. Say that it cannot be looked up just now.")
        if status != HTTPStatus.OK or len(body) > MOST_BYTES:
            what = f"answered {status}" if status != HTTPStatus.OK else "said too much to be read"
            raise ToolFailed(f"{host} {what}. Say that it cannot be looked up just now.")
        return body.decode(errors="replace")

    async def _read(self, url: str) -> tuple[int, bytes]:
        """Return the status and the body. The part of the body beyond the limit is not read."""
        body = b""
        async with self._client.stream("GET", url) as response:
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MOST_BYTES:
                    break
            return response.status_code, body

    def _place(self, url: str) -> str:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        return self._instead.get(origin, origin).rstrip("/") + url.removeprefix(origin)
