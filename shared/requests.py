"""What every function does with a request: read its body within a limit, find its trace."""

import re
import secrets
from collections.abc import AsyncIterator

#: version, trace id, span id, flags (w3.org/TR/trace-context)
TRACEPARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


class BodyTooLarge(Exception):
    """The body is longer than the function takes."""


async def read_body(chunks: AsyncIterator[bytes], longest: int) -> bytes:
    """The body, read no further than `longest` bytes. Raises BodyTooLarge."""
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > longest:
            raise BodyTooLarge
    return bytes(body)


def traceparent_of(given: str) -> str:
    """The request's W3C traceparent; a new one when it has none."""
    if TRACEPARENT.fullmatch(given):
        return given
    return f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"


def trace_of(traceparent: str) -> str:
    """The trace id in a traceparent."""
    return traceparent.split("-")[1]
