"""A bot that a test plays: updates come to the test's own webhook, and answers go over the Bot API."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from local.guest_server import GuestServer, serving
from local.server_config import KEEP_ALIVE_S

PATIENCE_SECONDS = 20.0
#: a message without any of these is a service message
WRITTEN = ("text", "photo", "sticker", "document", "voice", "audio", "video", "animation", "video_note", "location")


class ActedBot:
    """One bot. Its webhook answers with `status`, and lets updates in only while `open` is set."""

    def __init__(self, telegram: httpx.AsyncClient, token: str) -> None:
        self.id = int(token.partition(":")[0])
        self.status = 200
        self.open = asyncio.Event()
        self.open.set()
        self._telegram = telegram
        self._token = token
        self._updates: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._taken: set[int] = set()

    async def takes(self, request: Request) -> Response:
        """Answer a request to the webhook."""
        update = await request.json()
        await self.open.wait()
        # an update that is delivered twice, as after a restart, is taken once
        if self.status == 200 and update["update_id"] not in self._taken:
            self._taken.add(update["update_id"])
            self._updates.put_nowait(update)
        return Response(status_code=self.status)

    async def next(self, kind: str) -> dict[str, Any]:
        """Give the content of the next update of this kind; other kinds and service messages are skipped."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                update = await self._updates.get()
                if kind in update and (kind != "message" or any(name in update[kind] for name in WRITTEN)):
                    return dict(update[kind])

    async def call(self, method: str, **params: Any) -> Any:
        """Call a method of the Bot API and give its result."""
        answer = (await self._telegram.post(f"/bot{self._token}/{method}", json=params)).json()
        assert answer["ok"], answer
        return answer["result"]

    async def says(self, chat_id: int, text: str, **more: Any) -> int:
        """Send a message and give its id."""
        sent = await self.call("sendMessage", chat_id=chat_id, text=text, **more)
        return int(sent["message_id"])


@asynccontextmanager
async def acted_bot(telegram: httpx.AsyncClient, number: int = 7_000_000_001, **about: Any) -> AsyncIterator[ActedBot]:
    """Register a bot and serve its webhook on a free port."""
    bot = ActedBot(telegram, f"{number}:acted-by-a-test")
    named = {"first_name": "lull", "username": "lull_bot"} | about
    (await telegram.post("/world/bots", json={"token": f"{number}:acted-by-a-test", **named})).raise_for_status()
    app = Starlette(routes=[Route("/webhook", bot.takes, methods=["POST"])])
    config = uvicorn.Config(app, log_level="warning", ws="none", lifespan="off", timeout_keep_alive=KEEP_ALIVE_S)
    listener = socket.create_server(("127.0.0.1", 0))
    async with serving(GuestServer(config), listener):
        await bot.call("setWebhook", url=f"http://127.0.0.1:{listener.getsockname()[1]}/webhook")
        try:
            yield bot
        finally:
            bot.open.set()


def entity(text: str, part: str, type_: str, **more: Any) -> dict[str, Any]:
    """Make an entity over the first occurrence of a part of a text, counted in UTF-16 units."""
    before = text[: text.index(part)]
    units = {"offset": len(before.encode("utf-16-le")) // 2, "length": len(part.encode("utf-16-le")) // 2}
    return {"type": type_, **units, **more}
