"""Responses that several parts of the console share."""

from starlette.responses import JSONResponse, Response


def nothing_here() -> Response:
    """Return a 404, for addresses that do not exist and for people who may not see what is at an address.

    Its body is that of functions-framework's own 404 for /favicon.ico and /robots.txt, so that all 404s look alike.
    """
    return Response("Not Found", status_code=404, media_type="text/plain")


def crash_answer() -> Response:
    """Return the 500 for an unexpected error. It contains no details."""
    return JSONResponse({"code": "unexpected_error"}, status_code=500)
