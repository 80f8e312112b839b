"""Responses that several parts of the console share."""

from starlette.responses import JSONResponse, Response


def nothing_here() -> Response:
    """Return the 404 for addresses that do not exist, and for people who may not see the ones that do.

    Its body is the one that functions-framework itself sends at /favicon.ico and /robots.txt, where it calls no
    function.
    """
    return Response("Not Found", status_code=404, media_type="text/plain")


def crash_answer() -> Response:
    """Return the 500 for an unexpected error. It contains no details."""
    return JSONResponse({"code": "unexpected_error"}, status_code=500)
