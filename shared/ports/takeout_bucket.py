"""The port of the bucket in which the parts of exports lie."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Protocol


class TakeoutWriter(Protocol):
    """A part that is being written."""

    async def write(self, content: bytes) -> None:
        """Write what comes next. Raises TakeoutsUnavailable."""


class TakeoutBucket(Protocol):
    """Where the parts of takeouts lie until they are sent. Everything raises TakeoutsUnavailable."""

    def writing(self, path: str) -> AbstractAsyncContextManager[TakeoutWriter]:
        """A part to be written. It is there once the block ends without an error."""

    async def size(self, path: str) -> int | None:
        """How many bytes a part has; none: it is there no more."""

    def pieces(self, path: str, size: int) -> AsyncIterator[bytes]:
        """A part of that size, piece by piece."""

    async def clear(self, run: str) -> None:
        """Delete all that a takeout has in the bucket, also what a run left there that died."""
