"""Sends a file to a browser, which requests ranges when somebody seeks in audio or video."""

import re

from starlette.requests import Request
from starlette.responses import Response

# RFC 9110, 14.1.2: one range of bytes. Its first or its last position may be missing.
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
# Browsers may cache files, since the file of an id never changes. Uploaded files must not run as pages of this server.
_HEADERS = {
    "Accept-Ranges": "bytes",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "sandbox",
    "X-Content-Type-Options": "nosniff",
}


def file_response(request: Request, content: bytes, mime_type: str) -> Response:
    """Return the whole file, or the requested range; 416 if the range is invalid."""
    asked = _RANGE.fullmatch(request.headers.get("range", ""))
    if asked is None or asked.group() == "bytes=-":
        return Response(content, media_type=mime_type, headers=_HEADERS)
    first, last = _ends(asked[1], asked[2], len(content))
    if first > last:
        return Response(status_code=416, headers=_HEADERS | {"Content-Range": f"bytes */{len(content)}"})
    told = {"Content-Range": f"bytes {first}-{last}/{len(content)}"}
    return Response(content[first : last + 1], status_code=206, media_type=mime_type, headers=_HEADERS | told)


def _ends(first: str, last: str, size: int) -> tuple[int, int]:
    """Return the positions of the first and the last byte of a range. If `first` is empty, the range is the last `last`
    bytes of the file.
    """
    if not first:
        return max(0, size - int(last)), size - 1
    return int(first), min(int(last), size - 1) if last else size - 1
