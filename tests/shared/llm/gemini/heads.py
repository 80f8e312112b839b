"""A server that answers each request with an empty object, and keeps the request's line and headers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

ANSWER = b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}"


@asynccontextmanager
async def heads_of_requests() -> AsyncIterator[tuple[str, list[str]]]:
    """Run the server. Yield its URL, and the list of the heads in order, in lower case."""
    heads: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode().strip().lower())
        writer.write(ANSWER)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", heads
