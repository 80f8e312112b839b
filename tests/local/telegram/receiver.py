"""A webhook for tests: it records updates and gives scripted answers."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from local.guest_server import GuestServer, serving
from local.server_config import KEEP_ALIVE_S

Json = dict[str, Any]
# Decides the answer from an update and the number of its earlier deliveries.
Decide = Callable[[Json, int], Response]


@dataclass
class Receiver:
    """The received updates in order, and their answers; a closed `gate` holds back every answer."""

    url: str = ""
    decide: Decide = lambda update, before: Response("{}", media_type="application/json")
    updates: list[Json] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    under_way: int = 0
    most_at_once: int = 0
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, request: Request) -> Response:
        """Take one update."""
        update = await request.json()
        before = sum(one["update_id"] == update["update_id"] for one in self.updates)
        self.updates.append(update)
        self.headers.append(dict(request.headers))
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        self._came.set()
        await self.gate.wait()
        self.under_way -= 1
        return self.decide(update, before)

    async def until(self, is_enough: Callable[[], bool]) -> None:
        """Wait until the received updates are enough; the time-out of the test is the limit."""
        while not is_enough():
            self._came.clear()
            await self._came.wait()

    async def until_count(self, count: int) -> None:
        """Wait until so many deliveries were made."""
        await self.until(lambda: len(self.updates) >= count)

    def texts(self) -> list[str]:
        """List the texts of the messages in the order of their arrival."""
        return [update["message"]["text"] for update in self.updates]


@asynccontextmanager
async def receiver() -> AsyncIterator[Receiver]:
    """Serve a webhook on a free port of 127.0.0.1."""
    webhook = Receiver()
    webhook.gate.set()
    app = Starlette(routes=[Route("/hook", webhook.take, methods=["POST"])])
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    webhook.url = f"http://127.0.0.1:{listening.getsockname()[1]}/hook"
    config = uvicorn.Config(
        app,
        log_level="error",
        ws="none",
        lifespan="off",
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=1,
    )
    async with serving(GuestServer(config), listening):
        try:
            yield webhook
        finally:
            webhook.gate.set()
