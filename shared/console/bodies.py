"""Reads the bodies of the console's requests: a JSON object, or one line with a JSON object and then a file."""

import json
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request

from shared.console.request import BadRequest, OutdatedPage

#: the longest object in bytes
LONGEST_OBJECT: Final = 1_000_000
_LINE: Final = b"\n"


async def read_object(request: Request) -> Mapping[str, Any]:
    """Return the JSON object of a request. Raises BadRequest."""
    return _object(await _read(request, LONGEST_OBJECT, BadRequest("request_too_large")))


async def read_file(request: Request) -> tuple[Mapping[str, Any], bytes]:
    """Return the JSON object in the first line of a request's body, and the file in the rest. Raises BadRequest.

    The object's values are not in the URL, since URLs are logged.
    """
    from shared.values.prepared import MOST_FILE_BYTES  # not needed to start

    too_large = BadRequest("file_too_large", count=MOST_FILE_BYTES // 1_048_576)
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > LONGEST_OBJECT + MOST_FILE_BYTES:
        raise too_large
    body = await _read(request, LONGEST_OBJECT + MOST_FILE_BYTES, too_large)
    end = body.find(_LINE, 0, LONGEST_OBJECT)
    if end < 0:
        raise OutdatedPage("The request has no file.")
    content = bytes(memoryview(body)[end + 1 :])
    if len(content) > MOST_FILE_BYTES:
        raise too_large
    return _object(bytes(body[:end])), content


async def _read(request: Request, most: int, refusal: BadRequest) -> bytearray:
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > most:
            raise refusal
    return content


def _object(content: bytes | bytearray) -> Mapping[str, Any]:
    try:
        body = json.loads(content or b"{}")
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise OutdatedPage("The request is not a JSON object.")
    return body
