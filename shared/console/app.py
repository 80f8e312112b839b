"""The console's application: its page, its files, signing in, and the routes of all views.

Only a signed-in owner gets anything. Everybody else gets the same 404 at every address, except at the address for
signing in (the door), which only owners know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, Router

from shared.base.errors import LullError
from shared.base.logs import log_failure
from shared.console.answers import nothing_here
from shared.console.bodies import read_file, read_object
from shared.console.headers import SecureHeaders
from shared.console.request import BadRequest, ConsoleRequest, NotFound, check_path, check_query
from shared.console.signin.cookie import SignedIn
from shared.console.signin.door import Door
from shared.console.signin.origin import is_own_page, origin_of
from shared.console.signin.owners import agents_of
from shared.console.words import choose_language, direction_of, first_words, words_in

if TYPE_CHECKING:
    from shared.console.route import ConsoleRoute
    from shared.console.services import ConsoleServices

#: how many files an instance takes at once: each needs up to 100 MB of memory (as a body, as a file, as a request)
UPLOADS_AT_ONCE: Final = 2
PAGE: Final = "console/index.html"
METHODS: Final = ("GET", "POST")


@dataclass(frozen=True, kw_only=True)
class Visit:
    """A request of a signed-in owner of at least one agent."""

    signed: SignedIn
    agents: tuple[str, ...]


class Console:
    """The endpoints of the application: the page, its files and texts, signing out, and the views."""

    def __init__(self, door: Door, find_services: Callable[[], ConsoleServices]) -> None:
        """`door` is where owners sign in. `find_services` makes the services of the views; it is called once."""
        self.clock = door.clock
        self.find_services = find_services
        self.files = door.files
        self.box = door.box
        self.owners = door.owners
        self.door = door
        self.uploads = asyncio.Semaphore(UPLOADS_AT_ONCE)

    @cached_property
    def views(self) -> tuple[ConsoleServices, Router]:
        """The views' services and routes, made at the first request of a view, since importing all views is slow."""
        from shared.console.route import console_routes

        routes = [Route(one.path, self.endpoint(one), methods=[one.method]) for one in console_routes()]
        return self.find_services(), Router(routes, redirect_slashes=False)

    async def view(self, request: Request) -> Response | Router:
        """Return the router of the views, to which the request is passed on; a 404 if no owner is signed in."""
        visit = await self.visit(request)
        if visit is None:
            return nothing_here()
        if "views" not in vars(self):
            await asyncio.to_thread(_import_views)
        request.state.visit = visit
        return self.views[1]

    async def visit(self, request: Request) -> Visit | None:
        """Return the visit of a signed-in owner; None for anybody else. Costs a read for each agent."""
        signed = self.box.read(request.cookies, origin_of(request.headers), self.clock())
        if signed is None:
            return None
        agents = agents_of(signed.person, await self.owners.read(), signed.since)
        return Visit(signed=signed, agents=agents) if agents else None

    def endpoint(self, route: ConsoleRoute) -> Callable[[Request], Awaitable[Response]]:
        """Return the endpoint of a view's route."""

        async def answer(request: Request) -> Response:
            visit: Visit = request.state.visit
            if route.method != "GET" and not is_own_page(request.headers):
                return nothing_here()
            response = await self._carry_out(route, request, visit)
            self._renew(response, request, visit)
            return response

        return answer

    async def page(self, request: Request) -> Response:
        """Show the page to a signed-in owner."""
        visit = await self.visit(request)
        if visit is None:
            return nothing_here()
        words = first_words(self.files, self._language(request, visit))
        response = HTMLResponse(self.files.page(PAGE, {**words, "door": f"/{self.door.name}"}))
        self._renew(response, request, visit)
        return response

    async def file(self, request: Request) -> Response:
        """Send a file of `web/`. Browsers may keep the file, since its address contains the version."""
        found = self.files.find(request.path_params["file"])
        if found is None or request.path_params["version"] != self.files.version:
            return nothing_here()
        # the signature is enough here: the files are the same for everybody, and a page loads dozens of them
        if self.box.read(request.cookies, origin_of(request.headers), self.clock()) is None:
            return nothing_here()
        return found.response(request.headers)

    async def words(self, request: Request) -> Response:
        """Send the page's texts in the owner's language, as JSON."""
        visit = await self.visit(request)
        if visit is None:
            return nothing_here()
        language = self._language(request, visit)
        told = {"language": language, "direction": direction_of(language), "words": words_in(self.files, language)}
        return JSONResponse(told)

    async def sign_out(self, request: Request) -> Response:
        """Sign the owner out on this browser by deleting the cookie. Sign-ins on other browsers stay valid."""
        visit = await self.visit(request)
        if visit is None or not is_own_page(request.headers):
            return nothing_here()
        response = JSONResponse({})
        self.box.clear(response, origin_of(request.headers), is_framed=visit.signed.is_framed)
        return response

    async def _carry_out(self, route: ConsoleRoute, request: Request, visit: Visit) -> Response:
        try:
            path = {name: value for name, value in request.path_params.items() if f"{{{name}" in route.path}
            asked = ConsoleRequest(
                owner=visit.signed.person,
                agents=visit.agents,
                path=check_path(path),
                query=check_query(request.query_params) if route.method == "GET" else {},
                range=request.headers.get("range", ""),
                language=self._language(request, visit),
            )
            answer = await self._call(route, request, asked)
        except BadRequest as wrong:
            return JSONResponse(wrong.as_json, status_code=400)
        except NotFound:
            return JSONResponse({"code": "not_found"}, status_code=404)
        except LullError as error:
            log_failure(error)
            return JSONResponse({"code": "did_not_work", "values": {"why": str(error)}}, status_code=503)
        return answer if isinstance(answer, Response) else JSONResponse(answer)

    async def _call(self, route: ConsoleRoute, request: Request, asked: ConsoleRequest) -> Mapping[str, Any] | Response:
        """Read the request's body, and call the route's handler."""
        if route.takes_file:
            async with self.uploads:
                body, content = await read_file(request)
                return await route.handler(self.views[0], replace(asked, body=body, content=content))
        body = {} if route.method == "GET" else await read_object(request)
        return await route.handler(self.views[0], replace(asked, body=body))

    def _language(self, request: Request, visit: Visit) -> str:
        """Return the owner's language: the language of their Telegram app, else the browser's."""
        return choose_language(self.files, request.headers.get("accept-language", ""), visit.signed.language)

    def _renew(self, response: Response, request: Request, visit: Visit) -> None:
        renewed = visit.signed.renew(self.clock())
        if renewed is not visit.signed:
            self.box.write(response, renewed, origin_of(request.headers))


def console_app(door: Door, find_services: Callable[[], ConsoleServices]) -> Starlette:
    """Return the application. It imports the views when a signed-in owner first requests one of them."""
    console = Console(door, find_services)
    app = Starlette(
        routes=[
            Route("/", console.page),
            Route("/web-{version}/{file:path}", console.file),
            Route("/api/words", console.words),
            Route("/api/sign-out", console.sign_out, methods=["POST"]),
            Route("/api/{view:path}", console.view, methods=METHODS),
            *door.routes(),
        ],
        middleware=[Middleware(SecureHeaders), Middleware(GZipMiddleware, minimum_size=1_000)],
        exception_handlers={HTTPException: _refuse, ClientDisconnect: _refuse, LullError: _fail},
    )
    app.router.redirect_slashes = False  # it would show which addresses exist
    return app


def _import_views() -> None:
    from shared.console.route import console_routes

    console_routes()


async def _refuse(_: Request, __: Exception) -> Response:
    return nothing_here()


async def _fail(_: Request, error: Exception) -> Response:
    if isinstance(error, LullError):
        log_failure(error)
    return JSONResponse({"code": "does_not_answer"}, status_code=503)
