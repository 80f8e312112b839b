"""A handler of tasks for tests: a real HTTP server that gives scripted answers and records its requests."""

import asyncio
import base64
import json
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from local.guest_server import GuestServer, serving


@dataclass(frozen=True)
class Received:
    """One request that reached the handler; `at` in epoch seconds."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float
    query: str = ""

    @property
    def task(self) -> str:
        """The task's short id."""
        return self.headers["x-cloudtasks-taskname"]


@dataclass(frozen=True)
class Answer:
    """One answer of the handler; if `held` is set, the handler waits for it first."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    held: asyncio.Event | None = None
    body: bytes = b""


class TaskHandler:
    """The received requests, and the next answers: the scripted ones in turn, then `usual`."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.script: list[Answer] = []
        self.usual = Answer()
        self.under_way = 0
        self.most_at_once = 0
        self.url = ""
        self._arrived = asyncio.Condition()

    async def answer(self, request: Request) -> Response:
        """Note the request and answer it."""
        headers = dict(request.headers)
        self.received.append(
            Received(request.method, request.url.path, headers, await request.body(), time.time(), request.url.query)
        )
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        answer = self.script.pop(0) if self.script else self.usual
        async with self._arrived:
            self._arrived.notify_all()
        try:
            if answer.held is not None:
                await answer.held.wait()
        finally:
            self.under_way -= 1
        return Response(answer.body, status_code=answer.status, headers=answer.headers)

    async def wait_for(self, count: int) -> list[Received]:
        """Wait for `count` requests and give them."""
        async with asyncio.timeout(20), self._arrived:
            await self._arrived.wait_for(lambda: len(self.received) >= count)
        return self.received[:count]


@asynccontextmanager
async def task_handler() -> AsyncIterator[TaskHandler]:
    """Serve a handler at `url` while the block runs."""
    handler = TaskHandler()
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    app = Starlette(routes=[Route("/{path:path}", handler.answer, methods=methods)])
    config = uvicorn.Config(app, lifespan="off", ws="none", log_config=None, timeout_graceful_shutdown=1)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    handler.url = f"http://127.0.0.1:{listener.getsockname()[1]}/tick"
    async with serving(GuestServer(config), listener):
        yield handler


def jwt_part(bearer: str, part: int) -> dict[str, Any]:
    """Decode the header (0) or the claims (1) of the token in an Authorization header."""
    text = bearer.removeprefix("Bearer ").split(".")[part]
    content: dict[str, Any] = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    return content
