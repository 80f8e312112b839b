"""A TCP relay in front of a server. The relay can make the server seem slow, refusing, silent or cut off."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from local.ports import HOST, listen, reserve_port

CHUNK_BYTES = 1 << 16


class Relay:
    """Forwards connections to one server; a later call of `lead_to` changes the server. A relay is created and used
    inside one running event loop.

    The relay keeps its port even while it refuses connections, so that no other server can get the port.
    """

    def __init__(self) -> None:
        """Reserve a port without listening yet."""
        self._port = reserve_port()
        self.leads_to = ""
        self._delay_s = 0.0
        self._server: asyncio.Server | None = None
        self._connections: dict[asyncio.Task[None], list[asyncio.StreamWriter]] = {}

    @property
    def address(self) -> str:
        """The relay's host and port."""
        return f"{HOST}:{self._port.number}"

    @property
    def url(self) -> str:
        """The relay's HTTP address without a trailing slash."""
        return f"http://{self.address}"

    def lead_to(self, address: str) -> None:
        """Forward new connections to this `host:port`."""
        self.leads_to = address

    async def listen(self) -> None:
        """Accept connections, unless the relay already does."""
        if self._server is None:
            self._server = await asyncio.start_server(self._accept, sock=listen(HOST, self._port.number))

    def delay(self, seconds: float) -> None:
        """Delay each chunk on its way to the server by this many seconds; 0 for no delay. Answers are never delayed."""
        self._delay_s = seconds

    def cut(self) -> None:
        """Break every open connection and drop data in flight; new connections are accepted."""
        for task, writers in self._connections.items():
            for writer in writers:
                writer.transport.abort()
            task.cancel()

    def refuse(self) -> None:
        """Break every open connection and refuse new ones, as a machine without a listener does."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self.cut()

    async def close(self) -> None:
        """Break every connection and release the port."""
        self.refuse()
        await asyncio.gather(*self._connections, return_exceptions=True)
        self._port.release()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers = [writer]
        connection = asyncio.create_task(self._serve(reader, writers))
        self._connections[connection] = writers
        connection.add_done_callback(self._connections.pop)

    async def _serve(self, reader: asyncio.StreamReader, writers: list[asyncio.StreamWriter]) -> None:
        """Forward a connection until both sides are done. `writers` are the connections that a cut breaks."""
        writer = writers[0]
        try:
            host, _, port = self.leads_to.rpartition(":")
            if not port:
                raise ConnectionRefusedError(f"the relay {self.address} has no server yet; call lead_to first")
            answers, upstream = await asyncio.open_connection(host, int(port))
            writers.append(upstream)
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._pass_late(reader, upstream))
                ways.create_task(_pass(answers, writer))
        except* OSError:
            writer.transport.abort()  # the other side has closed the connection, or could not be reached
        finally:
            for one in writers:
                one.close()

    async def _pass_late(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward everything. Each chunk gets the delay that applied when the chunk arrived, so many chunks may be in
        flight at once.
        """
        due: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        async def send() -> None:
            chunk = b"-"
            while chunk:
                at, chunk = await due.get()
                if at > loop.time():
                    await asyncio.sleep(at - loop.time())
                await _forward(chunk, writer)

        async with asyncio.TaskGroup() as both:
            both.create_task(send())
            chunk = b"-"
            while chunk:
                chunk = await reader.read(CHUNK_BYTES)
                due.put_nowait((loop.time() + self._delay_s, chunk))


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    chunk = b"-"
    while chunk:
        chunk = await reader.read(CHUNK_BYTES)
        await _forward(chunk, writer)


async def _forward(chunk: bytes, writer: asyncio.StreamWriter) -> None:
    """Write a chunk; an empty one ends this direction."""
    if chunk:
        writer.write(chunk)
        await writer.drain()
    elif writer.can_write_eof():
        writer.write_eof()


@asynccontextmanager
async def relays(count: int) -> AsyncIterator[list[Relay]]:
    """Yield `count` listening relays. Their servers are still to be set with `lead_to`."""
    opened = [Relay() for _ in range(count)]
    try:
        for relay in opened:
            await relay.listen()
        yield opened
    finally:
        for relay in opened:
            await relay.close()
