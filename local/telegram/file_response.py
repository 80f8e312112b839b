"""A file's bytes for a browser, which asks for parts when somebody seeks in a sound or film."""

import re

from starlette.requests import Request
from starlette.responses import Response

# RFC 9110, 14.1.2: one range of bytes, either end of which may be missing.
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
# A file never changes under its id; what people upload must not run as a page of this server.
_HEADERS = {
    "Accept-Ranges": "bytes",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "sandbox",
    "X-Content-Type-Options": "nosniff",
}


def file_response(request: Request, content: bytes, mime_type: str) -> Response:
    """All of a file, or the range that was asked for; 416 if there is no such range."""
    asked = _RANGE.fullmatch(request.headers.get("range", ""))
    if asked is None or asked.group() == "bytes=-":
        return Response(content, media_type=mime_type, headers=_HEADERS)
    first, last = _ends(asked[1], asked[2], len(content))
    if first > last:
        return Response(status_code=416, headers=_HEADERS | {"Content-Range": f"bytes */{len(content)}"})
    told = {"Content-Range": f"bytes {first}-{last}/{len(content)}"}
    return Response(content[first : last + 1], status_code=206, media_type=mime_type, headers=_HEADERS | told)


def _ends(first: str, last: str, size: int) -> tuple[int, int]:
    """The first and the last byte; without a first, `last` counts from the end."""
    if not first:
        return max(0, size - int(last)), size - 1
    return int(first), min(int(last), size - 1) if last else size - 1
