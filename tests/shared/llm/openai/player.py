"""A server that plays exchanges: it gives the answers of one case in order, and keeps what it was sent.

An answer is `json`, `text`, or `sse` (a list of events: objects, or lines as they are). `cut` breaks the connection
before the end, `piece` is the number of bytes sent at once, `hang` sends nothing more, `repeat` multiplies a text.
"""

import asyncio
import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from tests.local.serving import serving

Json = dict[str, Any]


@dataclass
class Player:
    """The answers of each case by its number, and the requests."""

    answers: dict[str, list[Json]] = field(default_factory=dict)
    asked: dict[str, list[Json]] = field(default_factory=dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        _, case, *path = request.url.path.split("/")
        sent = {"path": "/".join(path), "headers": dict(request.headers), "body": await request.json()}
        self.asked.setdefault(case, []).append(sent)
        left = self.answers[case]
        answer = left.pop(0) if len(left) > 1 else left[0]
        await send(_start(answer))
        if answer.get("hang"):
            await asyncio.sleep(600)
        await _send_body(answer, send)


def _start(answer: Json) -> Json:
    kind = "text/event-stream" if "sse" in answer else "application/json" if "json" in answer else "text/html"
    headers = {"content-type": kind, **answer.get("headers", {})}
    pairs = [(name.lower().encode(), str(value).encode("latin-1")) for name, value in headers.items()]
    return {"type": "http.response.start", "status": answer.get("status", 200), "headers": pairs}


async def _send_body(answer: Json, send: Send) -> None:
    body = body_of(answer)
    size = answer.get("piece") or max(1, len(body))
    for start in range(0, len(body), size):
        await send({"type": "http.response.body", "body": body[start : start + size], "more_body": True})
    if answer.get("pause"):
        await asyncio.sleep(600)
    if not answer.get("cut"):  # uvicorn closes a connection whose response is incomplete
        await send({"type": "http.response.body", "body": b""})


def body_of(answer: Json) -> bytes:
    """Return the bytes of an answer."""
    if "sse" in answer:
        return "".join(_event(one) for one in answer["sse"]).encode("utf-8", "surrogatepass")
    if "json" in answer:
        return json.dumps(answer["json"], ensure_ascii=False).encode()
    if "base64" in answer:
        return base64.b64decode(answer["base64"])
    if "latin1" in answer:
        return str(answer["latin1"]).encode("latin-1")
    return (str(answer.get("text", "")) * int(answer.get("repeat", 1))).encode()


def _event(one: Any) -> str:
    if isinstance(one, str):
        return one if one.endswith("\n") else f"data: {one}\n\n"
    return f"data: {json.dumps(one, ensure_ascii=False)}\n\n"


@contextmanager
def playing() -> Iterator[tuple[str, Player]]:
    """The address of a running player."""
    player = Player()
    with serving(player) as url:
        yield url, player


def value_at(body: Any, path: str) -> Any:
    """Return the value at a dotted path, such as `messages.0.content`; None if there is none."""
    for step in path.split("."):
        if isinstance(body, list) and step.lstrip("-").isdigit():
            body = body[int(step)] if -len(body) <= int(step) < len(body) else None
        else:
            body = body.get(step) if isinstance(body, Mapping) else None
    return body
