"""A small Bot API server whose answers the test defines, down to a cut connection."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

#: the first byte of a client that speaks TLS
TLS_HELLO = b"\x16"

Writer: TypeAlias = asyncio.StreamWriter
Reaction: TypeAlias = Callable[[Writer], Awaitable[None]]


@dataclass(frozen=True)
class Call:
    """A call that arrived whole."""

    path: str
    params: dict[str, str]

    @property
    def method(self) -> str:
        """The method of the Bot API."""
        return self.path.rpartition("/")[2]


@dataclass
class BotApiServer:
    """Reactions to calls in order; the last one is repeated."""

    url: str = ""
    calls: list[Call] = field(default_factory=list)
    connections: int = 0
    reactions: list[Reaction] = field(default_factory=list)
    #: bytes of a body that it reads before it reacts; none: all of it
    hears: int | None = None
    #: set when a call has arrived
    was_called: asyncio.Event = field(default_factory=asyncio.Event)
    serving: dict[asyncio.Task[None], Writer] = field(default_factory=dict)

    def will(self, *reactions: Reaction) -> None:
        """Set the next reactions."""
        self.reactions = list(reactions)

    async def serve(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        """Serve one connection."""
        self.connections += 1
        if task := asyncio.current_task():
            self.serving[task] = writer
        try:
            while await self._serve_call(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _serve_call(self, reader: asyncio.StreamReader, writer: Writer) -> bool:
        first = await reader.readexactly(1)
        if first == TLS_HELLO:
            return False
        head = (first + await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        length = int(headers.get("content-length", "0"))
        body = await reader.readexactly(length if self.hears is None else min(length, self.hears))
        self.calls.append(Call(head[0].split(" ")[1], dict(parse_qsl(body.decode(), keep_blank_values=True))))
        self.was_called.set()
        react = self.reactions.pop(0) if len(self.reactions) > 1 else self.reactions[0]
        await react(writer)
        while self.hears is not None and await reader.read(2**20):
            pass  # as nginx does, so that the answer is heard
        return not writer.is_closing()


@asynccontextmanager
async def bot_api_server() -> AsyncIterator[BotApiServer]:
    """Run such a server on a free port."""
    server = BotApiServer()
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    try:
        yield server
    finally:
        listening.close()
        for writer in server.serving.values():
            writer.transport.abort()
        await asyncio.gather(*server.serving)
        await listening.wait_closed()


def answers(status: int, body: bytes, kind: str = "application/json") -> Reaction:
    """Answer with this body."""

    async def react(writer: Writer) -> None:
        head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()

    return react


def succeeds(result: Any) -> Reaction:
    """Answer that it was done."""
    return answers(200, json.dumps({"ok": True, "result": result}).encode())


def fails(status: int, description: str, **parameters: int) -> Reaction:
    """Answer as the Bot API does when it refuses."""
    body = {"ok": False, "error_code": status, "description": description, "parameters": parameters}
    return answers(status, json.dumps(body).encode())


async def cuts(writer: Writer) -> None:
    """Close the connection without an answer."""
    writer.close()


async def resets(writer: Writer) -> None:
    """Break the connection."""
    writer.transport.abort()


async def cuts_within_the_answer(writer: Writer) -> None:
    """Send half of an answer and close the connection."""
    writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"ok": true, ')
    await writer.drain()
    writer.close()


async def speaks_no_http(writer: Writer) -> None:
    """Answer something that isn't HTTP."""
    writer.write(b"220 mail.example ESMTP\r\n\r\n")
    await writer.drain()


async def never_ends(writer: Writer) -> None:
    """Send small pieces of an answer until the other side leaves."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def stays_silent(writer: Writer) -> None:
    """Never answer; ends when the other side leaves."""
    await writer.wait_closed()
