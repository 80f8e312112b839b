"""Runs the server: inside a test's event loop, or as a separate process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import FrameType

import uvicorn

from local.guest_server import GuestServer, serving
from local.ports import listen
from local.server_config import server_config
from local.telegram.app import build_app
from local.telegram.settings import TelegramSettings
from local.telegram.world import World


@dataclass(frozen=True, kw_only=True)
class LocalTelegram:
    """A running local Telegram. `url` is its address without a trailing slash."""

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


class _Server(uvicorn.Server):
    """A uvicorn server that ends event streams and long polls before it waits for open connections."""

    def __init__(self, world: World) -> None:
        super().__init__(server_config(build_app(world)))
        self._world = world

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at a signal. First end the requests that would last longest: streams and long polls."""
        self._world.close_waits()
        super().handle_exit(sig, frame)


@asynccontextmanager
async def serve(settings: TelegramSettings | None = None, *, port: int = 0) -> AsyncIterator[LocalTelegram]:
    """Serve a world on 127.0.0.1 during the block. Port 0 means any free port."""
    world = World(settings or TelegramSettings())
    listener = listen("127.0.0.1", port)
    async with serving(GuestServer(server_config(build_app(world))), listener):
        try:
            yield LocalTelegram(url=f"http://127.0.0.1:{listener.getsockname()[1]}", world=world)
        finally:
            world.close_waits()


def run(settings: TelegramSettings, host: str, port: int) -> None:
    """Serve until a signal arrives. The address is printed to standard output once."""
    listening = listen(host, port)
    print(f"Telegram: http://{host}:{listening.getsockname()[1]}", flush=True)
    _Server(World(settings)).run(sockets=[listening])
