"""Fetches one web page. A failure raises an error with a sentence for the model about the reason."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import httpcore
from protego import Protego

from shared.base.errors import FetchFailed
from shared.reader import reading_sentences as sentences
from shared.reader.targets import FetchTarget, HostRules, redirect_target, target_in
from shared.reader.web.network import CheckedNetwork, Resolve, resolve_host
from shared.reader.web.unpacking import ACCEPTED, Unpacker
from shared.values.prepared import MOST_FILE_BYTES

#: the maximum seconds from the DNS query to the last byte
WHOLE_S: Final = 10.0
MOST_REDIRECTS: Final = 5
#: the maximum bytes that a server may send, compressed or not; the same as for files from Telegram
MOST_SENT: Final = MOST_FILE_BYTES
#: the maximum bytes of a robots.txt that are read; RFC 9309 demands at least this many
MOST_ROBOTS: Final = 512 * 1_024
REDIRECTS: Final = {301, 302, 303, 307, 308}
TAKES: Final = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,application/json;q=0.8,*/*;q=0.1"


@dataclass(frozen=True)
class FetchedPage:
    """A fetched page: its address after all redirects, the content type that the server gave, and its bytes."""

    url: str
    content_type: str
    body: bytes


@dataclass(frozen=True, kw_only=True)
class WebFetcher:
    """Fetches pages. Connections and cookies are never reused, so no page learns that others were fetched."""

    rules: HostRules
    #: the value of the User-Agent header
    user_agent: str
    clock: Callable[[], datetime]
    resolve: Resolve = field(default=resolve_host)
    whole_s: float = WHOLE_S
    #: the settings for TLS, including the trusted certificates
    trust: ssl.SSLContext = field(default_factory=httpcore.default_ssl_context)

    async def fetch(self, url: str, *, is_automatic: bool) -> FetchedPage:
        """Fetch an address. With `is_automatic`, no person wrote the address, so the site's robots.txt is obeyed.

        Raises FetchFailed with a sentence for the model.
        """
        try:
            async with asyncio.timeout(self.whole_s):
                return await self._follow(target_in(url, self.rules), is_automatic)
        except TimeoutError:
            raise FetchFailed(sentences.TOO_SLOW.format(seconds=self.whole_s)) from None

    async def _follow(self, target: FetchTarget, is_automatic: bool) -> FetchedPage:
        for _ in range(MOST_REDIRECTS + 1):
            if is_automatic and not await self._is_welcome(target):
                raise FetchFailed(sentences.ROBOTS)
            async with self._request(target) as answer:
                if answer.status not in REDIRECTS:
                    return await self._read(target, answer)
                target = redirect_target(target, _header(answer, b"location"), self.rules)
        raise FetchFailed(sentences.TOO_MANY_REDIRECTS.format(most=MOST_REDIRECTS))

    @asynccontextmanager
    async def _request(self, target: FetchTarget) -> AsyncIterator[httpcore.Response]:
        """Send one request, and yield the response. Raises FetchFailed, also if reading the response fails."""
        headers = [
            ("Host", target.authority),
            ("User-Agent", self.user_agent),
            ("Accept", TAKES),
            ("Accept-Encoding", ACCEPTED),
            ("Connection", "close"),
        ]
        url = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path)
        network = CheckedNetwork(self.rules, self.resolve)
        try:
            async with (
                httpcore.AsyncConnectionPool(ssl_context=self.trust, network_backend=network) as pool,
                pool.stream("GET", url, headers=headers) as answer,
            ):
                yield answer
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as cause:
            raise FetchFailed(_why_not_connected(cause)) from None
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, OSError):
            raise FetchFailed(sentences.BROKEN) from None

    async def _read(self, target: FetchTarget, answer: httpcore.Response) -> FetchedPage:
        if answer.status != 200:
            why = sentences.status_sentence(answer.status, _header(answer, b"retry-after"), self.clock())
            raise FetchFailed(why)
        content_type, length = _header(answer, b"content-type"), _header(answer, b"content-length")
        size = int(length) if length.isascii() and length.isdecimal() and len(length) < 16 else None
        if not sentences.is_readable(content_type):
            raise FetchFailed(sentences.media_sentence(content_type, size))
        body = await _body(answer, MOST_SENT, size)
        return FetchedPage(url=target.url, content_type=content_type[:200], body=body)

    async def _is_welcome(self, target: FetchTarget) -> bool:
        """Return whether robots.txt allows programs to read a page. Without a robots.txt, True (RFC 9309, 2.3.1)."""
        robots = target_in(f"{target.scheme}://{target.authority}/robots.txt", self.rules)
        for _ in range(MOST_REDIRECTS + 1):
            async with self._request(robots) as answer:
                if answer.status in REDIRECTS:
                    robots = redirect_target(robots, _header(answer, b"location"), self.rules)
                    continue
                if answer.status >= 500:
                    return False
                if answer.status != 200:
                    return True
                text = bytes(await _body(answer, MOST_ROBOTS, None, is_cut=True)).decode("utf-8", "replace")
            return may_read(text, target.url, self.user_agent)
        return True


async def _body(answer: httpcore.Response, most: int, size: int | None, *, is_cut: bool = False) -> bytes:
    """Return the uncompressed body. A body that is too large is cut if `is_cut`; otherwise FetchFailed is raised."""
    too_large = FetchFailed(sentences.TOO_LARGE.format(mib=most // 1_048_576))
    if size is not None and size > most and not is_cut:
        raise too_large
    unpacker, sent = Unpacker(_header(answer, b"content-encoding")), 0
    async for piece in answer.aiter_stream():
        sent += len(piece)
        if sent > most:
            if is_cut:
                break
            raise too_large
        unpacker.take(piece)
    else:
        unpacker.end()
    return bytes(unpacker.body)


def _header(answer: httpcore.Response, name: bytes) -> str:
    found = next((value for key, value in answer.headers if key.lower() == name), b"")
    try:
        return found.decode()  # some servers send UTF-8 in this header
    except UnicodeDecodeError:
        return found.decode("latin-1")


def _why_not_connected(cause: BaseException) -> str:
    """Return the sentence for a failed connection. An invalid certificate has a sentence of its own."""
    seen: BaseException | None = cause
    while seen is not None:
        if isinstance(seen, ssl.SSLError):
            return sentences.BAD_CERTIFICATE
        seen = seen.__cause__ or seen.__context__
    return sentences.NOT_REACHED


def may_read(robots: str, url: str, user_agent: str) -> bool:
    """Return whether the robots.txt of a site allows a program to read an address."""
    return bool(Protego.parse(robots).can_fetch(url, user_agent))
