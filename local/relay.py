"""A relay in front of Firestore's emulator. The emulator would answer requests of any web page; the relay lets only
programs through.

gRPC connections are passed on without a check, since no browser can open them (they are HTTP/2 without TLS). HTTP/1.1
requests are checked (`local/guard.py`). A connection is closed after one request, so that no second request escapes the
check. The emulator listens at an address that a web page cannot guess: on Linux one of this machine's 16 million
addresses, elsewhere 127.0.0.1 with an undisclosed port.
"""

import asyncio
import json
import random
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from local.guard import refusal
from local.ports import HOST, listen

HTTP_2 = b"PRI * HTTP/2.0\r\n\r\n"
#: the HTTP/2 preface (RFC 9113, section 3.4): a server that gets only half of it may take it for HTTP/1.1
REST_OF_HTTP_2 = b"SM\r\n\r\n"
_END = b"\r\n\r\n"
_CHUNK = 1 << 16
#: time limit in seconds for closing the connection of a client that has stopped reading
CLOSING_S = 5.0


def hidden_place() -> tuple[str, int]:
    """Return an address of this machine and a free port there, for the emulator. A web page cannot guess them."""
    numbers = random.SystemRandom()
    host = f"127.{numbers.randint(1, 254)}.{numbers.randint(0, 255)}.{numbers.randint(2, 254)}"
    with socket.socket() as held:
        held.bind((host if sys.platform == "linux" else HOST, 0))
        found, port = held.getsockname()
        return str(found), int(port)


class FirestoreRelay:
    """Passes permitted connections on to the emulator at `host` and `port`."""

    def __init__(self, host: str, port: int) -> None:
        """Prepare a relay without listening."""
        self._host, self._port = host, port
        self._is_open = asyncio.Event()
        self._is_open.set()
        self._joined: set[asyncio.Task[Any]] = set()

    async def serve(self, port: int) -> asyncio.Server:
        """Listen on that port of 127.0.0.1 and return the server. Raises OSError."""
        return await asyncio.start_server(self._pass_on, sock=listen(HOST, port))

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """End all connections. Until the end of the block, new connections and their requests wait."""
        self._is_open.clear()
        try:
            for each in self._joined:
                each.cancel()
            if self._joined:
                await asyncio.wait(set(self._joined), timeout=CLOSING_S)
            yield
        finally:
            self._is_open.set()

    def lead_to(self, host: str, port: int) -> None:
        """Pass new connections on to another address."""
        self._host, self._port = host, port

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                head = await reader.readuntil(_END)
                why = "" if head == HTTP_2 else refusal(*_read_head(head))
                if why:
                    writer.write(_refusal(why))
                elif head == HTTP_2:
                    await self._join_when_open(head + await reader.readexactly(len(REST_OF_HTTP_2)), reader, writer)
                else:
                    await self._join_when_open(_with_close(head), reader, writer, is_one=True)
        finally:
            await _close(writer)

    async def _join_when_open(
        self, begin: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_one: bool = False
    ) -> None:
        await self._is_open.wait()
        this = asyncio.current_task()
        assert this is not None  # asyncio runs each connection of a server as a task
        self._joined.add(this)
        try:
            await self._join(begin, reader, writer, is_one=is_one)
        finally:
            self._joined.discard(this)

    async def _join(
        self, begin: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_one: bool = False
    ) -> None:
        """Pass data on in both directions until the emulator closes the connection or the caller is gone.

        `begin` is the data that was already read from the caller. `is_one`: the connection carries a single HTTP/1.1
        request, and `begin` is its head.
        """
        to_reader, to_writer = await asyncio.open_connection(self._host, self._port)
        to_writer.write(begin)
        ways = [
            asyncio.create_task(_pump(reader, to_writer)),
            asyncio.create_task(_pump(to_reader, writer, is_one=is_one)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            await _close(to_writer)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_one: bool = False) -> None:
    """Pass on everything that is read from `reader`. `is_one`: the data begins with the head of a response, to which
    "Connection: close" is added.
    """
    with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        if is_one:
            writer.write(_with_close(await reader.readuntil(_END)))
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


def _read_head(head: bytes) -> tuple[str, list[tuple[str, str]]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = (line.partition(":") for line in lines if line)
    return first.partition(" ")[0], [(name.strip(), value) for name, _, value in fields]


def _with_close(head: bytes) -> bytes:
    """Return the head of a request or response with "Connection: close"."""
    lines = head.removesuffix(_END).split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith((b"connection:", b"upgrade:", b"http2-settings:"))]
    return b"\r\n".join((*kept, b"Connection: close")) + _END


def _refusal(why: str) -> bytes:
    body = json.dumps({"error": why}).encode()
    head = f"HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"Connection: close\r\n\r\n" + body
