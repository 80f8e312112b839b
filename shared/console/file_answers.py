"""Responses with files that people sent: a browser never runs them, and media players can request a byte range."""

import re
from typing import TYPE_CHECKING, Final

from starlette.responses import Response, StreamingResponse

from shared.values.stored_media import StoredPart

if TYPE_CHECKING:
    from shared.webchat.files import WebFiles

#: types that a browser shows; others are only downloaded
SHOWN_TYPES: Final = frozenset(
    {
        *("image/jpeg", "image/png", "image/webp", "image/gif"),
        *("audio/ogg", "audio/mpeg", "audio/mp4", "audio/wav", "audio/aac", "audio/flac"),
        *("video/mp4", "video/webm"),
    }
)
#: nothing in a file of a stranger may run, and no other page may use it
SAFE_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, max-age=3600",
    "Content-Encoding": "identity",  # files are compressed already, and parts of them are asked for
}
_DOWNLOADED: Final = "application/octet-stream"
#: one range of bytes (RFC 9110, section 14); anything else gets the whole file
_RANGE: Final = re.compile(r"bytes=(\d{0,12})-(\d{0,12})", re.ASCII)


def disposition(mime_type: str) -> str:
    """Return the Content-Disposition that makes a browser show the file, or save it if showing it is not safe."""
    return "inline" if mime_type in SHOWN_TYPES else "attachment"


def file_answer(files: "WebFiles", file: StoredPart, wanted: str) -> Response:
    """Return a response that streams a file, or only the bytes that the Range header `wanted` asks for."""
    shown = file.mime_type if file.mime_type in SHOWN_TYPES else _DOWNLOADED
    headers = {**SAFE_HEADERS, "Content-Disposition": disposition(file.mime_type), "Accept-Ranges": "bytes"}
    span = span_of(wanted, file.size)
    if span is None:
        return Response(status_code=416, headers={**headers, "Content-Range": f"bytes */{file.size}"})
    begin, end = span
    headers["Content-Length"] = str(end - begin)
    is_whole = not _RANGE.fullmatch(wanted)
    if not is_whole:
        headers["Content-Range"] = f"bytes {begin}-{end - 1}/{file.size}"
    status = 200 if is_whole else 206
    return StreamingResponse(files.pieces(file, begin, end), status_code=status, headers=headers, media_type=shown)


def span_of(wanted: str, size: int) -> tuple[int, int] | None:
    """Return the bytes that the Range header `wanted` asks for, as (first, last + 1); None if the range is empty.

    Return the whole file's range if the header is missing or has another form.
    """
    found = _RANGE.fullmatch(wanted)
    if found is None or found[0] == "bytes=-":
        return 0, size
    first, last = found[1], found[2]
    if not first:
        begin, end = max(0, size - int(last)), size
    else:
        begin, end = int(first), min(size, int(last) + 1) if last else size
    return (begin, end) if begin < end else None
