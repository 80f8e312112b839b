"""What every function does with a request: read its body within a limit, find its trace."""

import secrets
from collections.abc import AsyncIterator

#: "00-<32 hex trace id>-<16 hex span id>-<2 hex flags>" (w3.org/TR/trace-context)
TRACEPARENT_PARTS = 4


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
    parts = given.split("-")
    if len(parts) == TRACEPARENT_PARTS and [len(p) for p in parts] == [2, 32, 16, 2]:
        return given
    return f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"


def trace_of(traceparent: str) -> str:
    """The trace id in a traceparent."""
    return traceparent.split("-")[1]
