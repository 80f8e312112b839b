"""Runs uvicorn in an event loop that another program uses too, or in a thread."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import uvicorn

#: seconds between updates of the Date header
TICK_S = 1.0
#: seconds between checks whether running requests have ended
LOOK_S = 0.005


class GuestServer(uvicorn.Server):
    """A uvicorn server that installs no signal handlers and ends when `end` is called.

    uvicorn's own loop checks ten times a second whether it should end, which delays the end by a tenth of a second.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        """Prepare the server without listening."""
        super().__init__(config)
        self.listening = asyncio.Event()
        self._told = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no signal handlers."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, and notify callers that wait for the start."""
        self._loop = asyncio.get_running_loop()
        try:
            await super().startup(sockets)
        finally:
            self.listening.set()

    def end(self) -> None:
        """Tell the server to shut down. May be called from any thread."""
        self.should_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._told.set)

    async def main_loop(self) -> None:
        """Serve until told to end."""
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), TICK_S)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no new requests. Wait for running requests, at most for the configured time."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.config.timeout_graceful_shutdown):
                while self.server_state.connections or self.server_state.tasks:  # noqa: ASYNC110  no notification
                    await asyncio.sleep(LOOK_S)
        for task in self.server_state.tasks:
            task.cancel()
        await self.lifespan.shutdown()


@asynccontextmanager
async def serving(server: GuestServer, listener: socket.socket) -> AsyncIterator[None]:
    """Serve on a socket during the block, then close the socket."""
    with listener:
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            await server.listening.wait()
            yield
        finally:
            server.end()
            await task
