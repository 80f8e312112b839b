"""Running the server: inside a test's event loop, or as a process of its own."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from types import FrameType

import uvicorn

from local.guard import LocalOnly
from local.ports import listen
from local.telegram.app import build_app
from local.telegram.settings import TelegramSettings
from local.telegram.world import World


@dataclass(frozen=True, kw_only=True)
class LocalTelegram:
    """A server that runs; `url` has no slash at its end."""

    url: str
    world: World

    @property
    def bot_api_url(self) -> str:
        """What python-telegram-bot takes as `base_url`."""
        return f"{self.url}/bot"

    @property
    def file_url(self) -> str:
        """What python-telegram-bot takes as `base_file_url`."""
        return f"{self.url}/file/bot"


class _Server(uvicorn.Server):
    """uvicorn that sends its followers away before it waits for open connections to end."""

    def __init__(self, world: World, *, is_guest: bool) -> None:
        config = uvicorn.Config(
            LocalOnly(build_app(world)),
            log_level="warning",
            ws="none",
            # As long as nginx: clients drop idle connections after 5 s, and must not meet the server doing the same.
            timeout_keep_alive=75,
            # For what is under way: long polls and streams have been told to end by then.
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)
        self.listening = asyncio.Event()
        self._world = world
        self._is_guest = is_guest

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and let whoever waits know."""
        try:
            await super().startup(sockets)
        finally:
            self.listening.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals of a test's process alone."""
        if self._is_guest:
            yield
            return
        with super().capture_signals():
            yield

    def end(self) -> None:
        """Stop, beginning with those that would wait longest: streams and long polls."""
        self._world.close_waits()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at a signal."""
        self._world.close_waits()
        super().handle_exit(sig, frame)


@asynccontextmanager
async def serve(settings: TelegramSettings | None = None, *, port: int = 0) -> AsyncIterator[LocalTelegram]:
    """Serve a world on 127.0.0.1 while the block runs; port 0 takes a free one."""
    world = World(settings or TelegramSettings())
    server = _Server(world, is_guest=True)
    listening = listen("127.0.0.1", port)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        await server.listening.wait()
        yield LocalTelegram(url=f"http://127.0.0.1:{listening.getsockname()[1]}", world=world)
    finally:
        server.end()
        await task
        listening.close()


def run(settings: TelegramSettings, host: str, port: int) -> None:
    """Serve until a signal; prints the address once, on the standard output."""
    listening = listen(host, port)
    print(f"Telegram: http://{host}:{listening.getsockname()[1]}", flush=True)
    _Server(World(settings), is_guest=False).run(sockets=[listening])
