"""Downloads the official model file over HTTP, and resumes interrupted downloads."""

import asyncio
from pathlib import Path
from typing import BinaryIO

import httpx

from local.model.fetch import SourceFailed
from local.model.model_file import ModelFile, discard, size_of
from local.model.state import Progress

#: consecutive attempts without new bytes before the download fails
TRIES = 5

#: an address that does not accept a connection within these seconds cannot be reached
_LIMITS = httpx.Timeout(30, connect=5)


class Hub:
    """Downloads the file from the model's addresses. Range requests (RFC 9110 §14.2) resume a broken download."""

    def __init__(self, pause_s: float = 2.0) -> None:
        """Make a source. `pause_s` are the seconds between two attempts."""
        self._pause_s = pause_s

    async def fetch(self, model: ModelFile, kept: Path, progress: Progress) -> None:
        """Append the missing bytes to the partial file `kept`. Raises SourceFailed if no address delivers them."""
        failures: list[str] = []
        async with httpx.AsyncClient(follow_redirects=True, timeout=_LIMITS) as client:
            for url in model.urls:
                try:
                    return await self._fetch_from(url, client, model, kept, progress)
                except SourceFailed as failed:
                    failures.append(str(failed))
        raise SourceFailed(" ".join(failures))

    async def _fetch_from(
        self, url: str, client: httpx.AsyncClient, model: ModelFile, kept: Path, progress: Progress
    ) -> None:
        begin, fruitless = size_of(kept), 0
        while (have := size_of(kept)) < model.size:
            try:
                await _go_on(url, client, model, kept, progress)
            except (httpx.TransportError, httpx.TooManyRedirects) as cause:
                # a server that has delivered something comes back more likely than one that never answered
                if isinstance(cause, (httpx.ConnectError, httpx.ConnectTimeout)) and have == begin:
                    raise SourceFailed(f"{_host(url)} cannot be reached from here.") from cause
                fruitless = 0 if size_of(kept) > have else fruitless + 1
                if fruitless == TRIES:
                    why = f"The connection to {_host(url)} broke again and again ({type(cause).__name__})."
                    raise SourceFailed(why) from cause
                await asyncio.sleep(self._pause_s)


async def _go_on(url: str, client: httpx.AsyncClient, model: ModelFile, kept: Path, progress: Progress) -> None:
    have = size_of(kept)
    headers = {"range": f"bytes={have}-", "accept-encoding": "identity"}
    async with client.stream("GET", url, headers=headers) as response:
        if response.status_code not in (200, 206):
            raise SourceFailed(f"{_host(url)} answered {response.status_code} for {model.file_name}.")
        if response.status_code == 200:
            have = 0  # the server sends the whole file, not the rest
        with _opened_at(kept, have) as out:
            async for chunk in response.aiter_bytes():
                have += out.write(chunk)
                progress.reached(have)
                if have > model.size:
                    break
    if have > model.size:
        discard(kept)
        raise SourceFailed(f"{_host(url)} sent more bytes than {model.file_name} has.")


def _opened_at(kept: Path, offset: int) -> BinaryIO:
    """Cut the file off after its first `offset` bytes, and open it for writing at that position."""
    out = kept.open("ab")
    out.truncate(offset)
    return out


def _host(url: str) -> str:
    return httpx.URL(url).host
