"""Starts a function when somebody connects to it, as Cloud Run does: who connects waits until it serves."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.stage import unwatched
from local.cloud import LocalCloud
from local.parts import CloudPart
from local.ports import HOST

#: between two tries to connect to a function that starts
LOOK_S = 0.002
CHUNK = 65_536
#: for what is open to see that its function ended
SETTLE_S = 0.1


class Activator:
    """One address that leads to a function, whether an instance of it runs or not."""

    def __init__(self, cloud: LocalCloud, source: Path) -> None:
        """`source` is the function's `main.py`; `env` is to be set before anybody connects."""
        self._cloud, self._source = cloud, source
        self._instance: CloudPart | None = None
        self._starts = 0
        self.env: Mapping[str, str] = {}
        self.url = ""

    def stop(self) -> None:
        """Stop the instance, if there is one; the next connection starts another."""
        if self._instance is not None:
            self._cloud.stop(self._instance.name)
        self._instance = None

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Listen for the block, at a free port; whatever was started is stopped after it."""
        server = await asyncio.start_server(self._connected, HOST, 0)
        self.url = f"http://{HOST}:{server.sockets[0].getsockname()[1]}"
        try:
            yield
        finally:
            self.stop()
            server.close()
            await asyncio.sleep(SETTLE_S)

    def _started(self) -> CloudPart:
        """The instance; nothing waits for it here."""
        if self._instance is None:
            self._starts += 1
            name = f"{self._source.parent.name}-{self._starts}"
            self._instance = unwatched(self._cloud, self._source, name, self.env)
            self._cloud.add_part(self._instance)
        return self._instance

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await _connection(urlsplit(self._started().url).port or 0)
        await asyncio.gather(_pass(reader, back, writer), _pass(there, writer, back))


async def _connection(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    while True:
        try:
            return await asyncio.open_connection(HOST, port)
        except ConnectionError:
            await asyncio.sleep(LOOK_S)


async def _pass(reader: asyncio.StreamReader, *writers: asyncio.StreamWriter) -> None:
    """Hand on what is read to the first of the writers; at its end close them all, and with them the other way."""
    with suppress(ConnectionError):
        while chunk := await reader.read(CHUNK):
            writers[0].write(chunk)
            await writers[0].drain()
    for writer in writers:
        writer.close()
