"""Asking a service of the web that lull knows: one request, in a bounded time and size."""

import asyncio
from collections.abc import Mapping
from functools import cached_property
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import httpx

from shared.base.errors import ToolFailed

#: seconds for one answer: less than a tool has
LIMIT_S: Final = 8.0
#: more than any of these services says
MOST_BYTES: Final = 500_000
#: nothing is compressed, so that what comes is as large as it is read
_HEADERS: Final = {"user-agent": "lull", "accept-encoding": "identity"}


class Fetcher:
    """What asks; to be made inside the running loop. No redirect is followed: these services need none."""

    def __init__(self, instead: Mapping[str, str], limit_s: float = LIMIT_S) -> None:
        """`instead`: origins, each with another that is asked in its place."""
        self._instead, self._limit_s = instead, limit_s

    @cached_property
    def _client(self) -> httpx.AsyncClient:
        """One pool of connections. To make it takes 50 ms, so who needs it first does."""
        return httpx.AsyncClient(headers=_HEADERS, timeout=self._limit_s, follow_redirects=False)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def text(self, url: str) -> str:
        """What an address says. Raises ToolFailed with a sentence for the model, which names the host alone."""
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
        """The status, and the body as far as it is read: a longer one is cut after the limit."""
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
