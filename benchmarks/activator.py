"""Starts an instance of a function when somebody connects to its address, as Cloud Run does. The caller waits until the
instance serves.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.stage import unchecked_part
from local.cloud import LocalCloud
from local.parts import CloudPart
from local.ports import HOST

#: seconds between two tries to connect to a function that is starting
LOOK_S = 0.002
CHUNK = 65_536
#: seconds that open connections are given to notice that their function ended
SETTLE_S = 0.1


class Activator:
    """An address of one function. It can be called at any time: if no instance of the function runs, one is started."""

    def __init__(self, cloud: LocalCloud, source: Path) -> None:
        """`source` is the function's `main.py`. Set `env` before anybody connects."""
        self._cloud, self._source = cloud, source
        self._instance: CloudPart | None = None
        self._starts = 0
        self.env: Mapping[str, str] = {}
        self.url = ""

    def stop(self) -> None:
        """Stop the instance, if one runs; the next connection starts another."""
        if self._instance is not None:
            self._cloud.stop(self._instance.name)
        self._instance = None

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Listen on a free port while the block runs. Afterwards, stop the instance."""
        server = await asyncio.start_server(self._serve_connection, HOST, 0)
        self.url = f"http://{HOST}:{server.sockets[0].getsockname()[1]}"
        try:
            yield
        finally:
            self.stop()
            server.close()
            await asyncio.sleep(SETTLE_S)

    def _start(self) -> CloudPart:
        """Start the instance unless it runs, and return it without waiting until it serves."""
        if self._instance is None:
            self._starts += 1
            name = f"{self._source.parent.name}-{self._starts}"
            self._instance = unchecked_part(self._cloud, self._source, name, self.env)
            self._cloud.add_part(self._instance)
        return self._instance

    async def _serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await _connection(urlsplit(self._start().url).port or 0)
        await asyncio.gather(_pass(reader, back, writer), _pass(there, writer, back))


async def _connection(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    while True:
        try:
            return await asyncio.open_connection(HOST, port)
        except ConnectionError:
            await asyncio.sleep(LOOK_S)


async def _pass(reader: asyncio.StreamReader, *writers: asyncio.StreamWriter) -> None:
    """Copy a stream to the first of the writers. When the stream ends, close all writers, so that the other direction
    ends too.
    """
    with suppress(ConnectionError):
        while chunk := await reader.read(CHUNK):
            writers[0].write(chunk)
            await writers[0].drain()
    for writer in writers:
        writer.close()
