"""The console: a page in which the owner of an agent sees what the agent does and why, corrects it, and talks to it.

This function can be called without Google's authentication, like the webhook. It checks by itself who is signed in, and
shows no data to anyone else.
"""

import functions_framework.aio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from shared.wiring.console import app


@functions_framework.aio.http  # type: ignore[arg-type]  # Starlette calls whatever a function returns, as ASGI
async def console(request: Request) -> Starlette | Response:
    """Return the web application, which then handles the request; only the local health check is answered here."""
    if request.url.path == "/healthz":  # for this machine: Google's front end keeps this path for itself
        return Response("ok")
    return app()
