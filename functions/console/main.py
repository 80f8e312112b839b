"""The console: a page in which the owner of an agent sees what it does and why, mends it, and talks to it.

Anybody can call this function, like the webhook. It checks by itself who is signed in, and shows nothing to others.
"""

import functions_framework.aio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from shared.wiring.console import app


@functions_framework.aio.http  # type: ignore[arg-type]  # Starlette calls whatever a function returns, as ASGI
async def console(request: Request) -> Starlette | Response:
    """Return the application, which then answers the request."""
    if request.url.path == "/healthz":  # for this machine: Google's front end keeps this path for itself
        return Response("ok")
    return app()
