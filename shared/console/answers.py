"""Answers that are the same everywhere in the console."""

from starlette.responses import JSONResponse, Response


def nothing_here() -> Response:
    """Return the answer for everything that is not there, and for everybody who may not see what is.

    functions-framework answers with the same bytes at /favicon.ico and /robots.txt, where it calls no function.
    """
    return Response("Not Found", status_code=404, media_type="text/plain")


def crash_answer() -> Response:
    """Return the answer after an unexpected error."""
    return JSONResponse({"code": "unexpected_error"}, status_code=500)
