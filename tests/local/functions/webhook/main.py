"""A function that answers with its own environment, and fails to start on demand."""

import os

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import JSONResponse

if os.environ.get("BROKEN"):
    raise SystemExit("this function was told to break")


@functions_framework.aio.http
async def webhook(request: Request) -> JSONResponse:
    """Answer with the environment."""
    return JSONResponse(dict(os.environ))
