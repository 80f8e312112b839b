"""The floor of a cold start: an empty function that imports Firestore's client."""

import functions_framework.aio
from google.cloud import firestore  # noqa: F401 (importing it is what is measured)
from starlette.requests import Request
from starlette.responses import Response


@functions_framework.aio.http
async def empty(request: Request) -> Response:
    """Answer with 200."""
    return Response("ok")
