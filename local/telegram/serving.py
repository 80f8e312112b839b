"""Running the server: inside a test's event loop, or as a process of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import FrameType

import uvicorn

from local.guard import LocalOnly
from local.guest_server import GuestServer, serving
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
        """The `base_url` for python-telegram-bot."""
        return f"{self.url}/bot"

    @property
    def file_url(self) -> str:
        """The `base_file_url` for python-telegram-bot."""
        return f"{self.url}/file/bot"


def _config(world: World) -> uvicorn.Config:
    return uvicorn.Config(
        LocalOnly(build_app(world)),
        log_level="warning",
        ws="none",
        # As long as nginx: clients drop idle connections after 5 s, and must not meet the server doing the same.
        timeout_keep_alive=75,
        # For what is under way: long polls and streams have been told to end by then.
        timeout_graceful_shutdown=1,
    )


class _Server(uvicorn.Server):
    """uvicorn that sends its followers away before it waits for open connections to end."""

    def __init__(self, world: World) -> None:
        super().__init__(_config(world))
        self._world = world

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at a signal, beginning with those that would wait longest: streams and long polls."""
        self._world.close_waits()
        super().handle_exit(sig, frame)


@asynccontextmanager
async def serve(settings: TelegramSettings | None = None, *, port: int = 0) -> AsyncIterator[LocalTelegram]:
    """Serve a world on 127.0.0.1 while the block runs; port 0 takes a free one."""
    world = World(settings or TelegramSettings())
    listener = listen("127.0.0.1", port)
    async with serving(GuestServer(_config(world)), listener):
        try:
            yield LocalTelegram(url=f"http://127.0.0.1:{listener.getsockname()[1]}", world=world)
        finally:
            world.close_waits()


def run(settings: TelegramSettings, host: str, port: int) -> None:
    """Serve until a signal; prints the address once, on the standard output."""
    listening = listen(host, port)
    print(f"Telegram: http://{host}:{listening.getsockname()[1]}", flush=True)
    _Server(World(settings)).run(sockets=[listening])
