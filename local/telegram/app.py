"""The whole server as one ASGI application: Bot API, World API and the page."""

import importlib.util
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from local.telegram.bot_api import BotApiFace
from local.telegram.login import LoginFace, name_of
from local.telegram.message_api import MessageFace
from local.telegram.service import BotApi
from local.telegram.watching import WatchFace
from local.telegram.world import World
from local.telegram.world_api import WorldFace

_PAGE = Path(__file__).parents[1] / "page" / "static"
#: folder of the files that the page shares with the console
_WEB = Path(__file__).parents[2] / "web"


def build_app(world: World) -> ASGIApp:
    """Return the application that serves a world. Its lifespan starts and stops the deliveries to webhooks, and closes
    the world.
    """
    api = BotApi(world)
    face = WorldFace(world)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        api.deliveries.resume()
        yield
        await api.close()
        world.close()

    async def names() -> dict[int, str]:
        return {person.id: name_of(person) for person in world.people.people()}

    routes: list[BaseRoute] = [
        Route("/healthz", _healthz),
        *BotApiFace(world, api).routes(),
        *face.routes(),
        *MessageFace(world, face).routes(),
        *WatchFace(world, face, api).routes(),
        *LoginFace(world.settings, names, world.now).routes(),
        *_page_routes(),
    ]
    return TransportInScope(Starlette(routes=routes, lifespan=lifespan))


class TransportInScope:
    """Puts uvicorn's transport (the connection) into the scope, so that a connection can be closed without a response.

    ASGI has no message for closing a connection. The transport is found through `send`, which is a method of the
    uvicorn object that has the transport.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application with the transport in its scope."""
        cycle = getattr(send, "__self__", None)
        await self._app({**scope, "lull.transport": getattr(cycle, "transport", None)}, receive, send)


async def _healthz(_: Request) -> Response:
    return JSONResponse({"ready": True})


async def _index(_: Request) -> Response:
    return FileResponse(_PAGE / "index.html")


def _page_routes() -> list[BaseRoute]:
    """Return the routes of the page, if the page is available. Without it, the server still works for bots and
    tests.
    """
    if not (_PAGE / "index.html").exists():
        return []
    routes: list[BaseRoute] = [
        Route("/", _index),
        Mount("/static", StaticFiles(directory=_PAGE)),
        Mount("/web", StaticFiles(directory=_WEB)),
    ]
    if importlib.util.find_spec("local.page.inspect") is None:
        return routes
    inspect = importlib.import_module("local.page.inspect")
    return [*routes, Mount("/inspect", routes=inspect.routes())]
