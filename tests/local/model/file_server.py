"""A web server with one file, which can break off its answers as a network does."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from tests.local.serving import serving


@dataclass
class FileServer:
    """An ASGI application that records the requested ranges in `ranges`."""

    content: bytes
    #: the number of bytes after which each of the next answers breaks off
    cuts: list[int] = field(default_factory=list)
    knows_ranges: bool = True
    status: int = 0
    url: str = ""
    ranges: list[str] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        asked = Request(scope).headers.get("range", "")
        self.ranges.append(asked)
        start = int(asked.removeprefix("bytes=").rstrip("-") or 0) if self.knows_ranges else 0
        body = self.content[start:]
        status = self.status or (206 if asked and self.knows_ranges else 200)
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        if self.cuts:
            await send({"type": "http.response.body", "body": body[: self.cuts.pop(0)], "more_body": True})
            return  # the server cuts an answer that does not end
        await send({"type": "http.response.body", "body": body})


@contextmanager
def file_server(content: bytes, **trouble: object) -> Iterator[FileServer]:
    """Run a file server."""
    server = FileServer(content, **trouble)  # type: ignore[arg-type]
    with serving(server) as url:
        server.url = f"{url}/model.gguf"
        yield server
