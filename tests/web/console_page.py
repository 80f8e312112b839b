"""The console's page on a small server: the files of `web/`, and canned answers in place of the function."""

import asyncio
import html
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from local.guest_server import GuestServer, serving
from local.ports import listen
from shared.console.request import BadRequest, check_query
from shared.console.route import console_routes
from shared.console.web_files import PageFiles
from shared.console.words import direction_of, first_words, words_in
from tests.local.page.telegram_server import ROOT
from tests.media_files import png

WEB = ROOT / "web"
FILES = PageFiles(WEB)
#: the function's own policy, so that the page is known to work under it
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
#: the paths of routes that only read, though words are posted to them
READS = re.compile("|".join(re.sub(r"\{\w+\}", "[^/]+", one.path) for one in console_routes() if one.only_reads))


class ConsolePage:
    """The server's state: `answers` are the canned answers by method and path with query, such as "GET /api/costs".

    An answer is a JSON value, or a status and a JSON value. Bodies are without the ids of clicks, which are in
    `clicks`. `say` sends an event to all open pages.
    """

    def __init__(self, answers: Mapping[str, Any], url: str) -> None:
        """Begin with these answers."""
        self.answers = dict(answers)
        self.url = url
        self.language = "en"
        self.is_signed_in = True
        self._posted: list[tuple[str, Any]] = []
        self.clicks: list[tuple[str, str]] = []
        self._asked: list[tuple[str, Any]] = []
        self._streams: set[asyncio.Queue[str]] = set()
        #: how many streams were begun
        self.streams = 0

    def say(self, kind: str, event: Mapping[str, Any]) -> None:
        """Send an event to all open pages."""
        for stream in self._streams:
            stream.put_nowait(f"event: {kind}\ndata: {json.dumps(event)}\n\n")

    def cut(self) -> None:
        """End all streams, as the function does after some minutes."""
        for stream in self._streams:
            stream.put_nowait("")

    async def sent(self, count: int) -> list[tuple[str, Any]]:
        """Return the paths and bodies of the requests that change something, once there are at least `count`."""
        await self._until(lambda: len(self._posted) >= count)
        return self._posted

    async def bodies(self, path: str, count: int) -> list[Any]:
        """Return the bodies that were posted to a path, reads by words too, once there are at least `count`."""

        def found() -> list[Any]:
            return [body for to, body in (*self._posted, *self._asked) if to == path]

        await self._until(lambda: len(found()) >= count)
        return found()

    async def _until(self, is_so: Callable[[], bool]) -> None:
        """Wait, at most 20 seconds: the page shows what the owner does before it sends it."""
        until = asyncio.get_running_loop().time() + 20
        while not is_so() and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110  no notification
            await asyncio.sleep(0.02)

    def app(self) -> Starlette:
        """Return the application."""
        return Starlette(
            routes=[
                Route("/", self._page),
                Mount("/web", StaticFiles(directory=WEB)),
                Mount("/gallery", StaticFiles(directory=Path(__file__).parent / "gallery")),
                Route("/media/{name}", self._picture),
                Route("/api/words", self._words),
                Route("/api/live", self._live),
                Route("/api/{path:path}", self._answer, methods=["GET", "POST"]),
            ]
        )

    async def _page(self, _: Request) -> Response:
        text = (WEB / "console" / "index.html").read_text()
        for name, value in {"door": "/door", **first_words(FILES, self.language)}.items():
            text = text.replace("{{" + name + "}}", html.escape(value))
        return HTMLResponse(text, headers={"Content-Security-Policy": POLICY})

    async def _picture(self, request: Request) -> Response:
        return FileResponse(Path(__file__).parent / "media" / request.path_params["name"])

    async def _words(self, _: Request) -> Response:
        if not self.is_signed_in:
            return nothing_here()
        told = {"language": self.language, "direction": direction_of(self.language)}
        return JSONResponse({**told, "words": words_in(FILES, self.language)})

    async def _answer(self, request: Request) -> Response:
        if not self.is_signed_in:
            return nothing_here()
        query = f"?{request.url.query}" if request.url.query else ""
        if request.method == "GET":
            try:
                check_query(request.query_params)
            except BadRequest as wrong:
                return JSONResponse(wrong.as_json, status_code=400)
        if request.method == "POST":
            assert request.headers["x-lull-console"] == "1"
            body = _body_of(await request.body())
            if READS.fullmatch(request.url.path):
                self._asked.append((request.url.path, body))
            else:
                self._note(request.url.path, body)
        for asked in (f"{request.method} {request.url.path}{query}", f"{request.method} {request.url.path}"):
            if asked in self.answers:
                return _response(self.answers[asked])
        return JSONResponse({"code": "not_found"}, status_code=404)

    def _note(self, path: str, body: Any) -> None:
        if isinstance(body, dict) and isinstance(body.get("id"), str):
            self.clicks.append((path, body.pop("id")))
        self._posted.append((path, body))

    async def _live(self, _: Request) -> Response:
        stream: asyncio.Queue[str] = asyncio.Queue()
        self._streams.add(stream)
        self.streams += 1

        async def lines() -> AsyncIterator[str]:
            try:
                yield ": open\n\n"
                while line := await stream.get():
                    yield line
            finally:
                self._streams.discard(stream)

        return StreamingResponse(lines(), media_type="text/event-stream")


def _body_of(body: bytes) -> Any:
    """Return the object of a request; a file after it is its field "file"."""
    line, _, content = body.partition(b"\n")
    return json.loads(line) | ({"file": content} if content else {})


def _response(answer: Any) -> Response:
    if isinstance(answer, dict) and "picture" in answer:
        return Response(png(answer["picture"], 160, 120), media_type="image/png")
    if isinstance(answer, tuple):
        return JSONResponse(answer[1], status_code=answer[0])
    return JSONResponse(answer)


def nothing_here() -> Response:
    """Return what a stranger gets at every address."""
    return Response("Not Found", status_code=404, media_type="text/plain")


def canned() -> dict[str, Any]:
    """Return the answers of all files of `answers/`: one for each view, {"GET /api/costs": …}."""
    files = sorted((Path(__file__).parent / "answers").glob("*.json"))
    return {asked: answer for file in files for asked, answer in json.loads(file.read_text()).items()}


@asynccontextmanager
async def console_page(port: int) -> AsyncIterator[ConsolePage]:
    """Serve the page with the canned answers."""
    page = ConsolePage(canned(), f"http://127.0.0.1:{port}")
    config = uvicorn.Config(page.app(), log_level="warning", ws="none", timeout_graceful_shutdown=1)
    async with serving(GuestServer(config), listen("127.0.0.1", port)):
        yield page
        page.cut()
