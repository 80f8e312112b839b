"""A function that tells how it was started; broken on demand."""

import os

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import JSONResponse

if os.environ.get("BROKEN"):
    raise SystemExit("this function was told to break")


@functions_framework.aio.http
async def webhook(request: Request) -> JSONResponse:
    """Its environment."""
    return JSONResponse(dict(os.environ))
