"""Grants access to the model: one caller at a time, in order of arrival. Background work runs only while nobody
calls.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Precedence:
    """Grants access to the model, one turn at a time. Background work is divided into short turns, so that a caller
    waits for at most one of them.
    """

    def __init__(self) -> None:
        """Start without callers."""
        self._turn = asyncio.Lock()  # asyncio's locks are granted in order of arrival
        self._callers = 0
        self._nobody_calls = asyncio.Event()
        self._nobody_calls.set()

    @asynccontextmanager
    async def caller(self) -> AsyncIterator[None]:
        """Wait for a caller's turn, and hold the turn during the block."""
        self._callers += 1
        self._nobody_calls.clear()
        try:
            async with self._turn:
                yield
        finally:
            self._callers -= 1
            if not self._callers:
                self._nobody_calls.set()

    @asynccontextmanager
    async def in_the_meantime(self) -> AsyncIterator[None]:
        """Wait until no caller has or awaits a turn, and hold a turn of background work during the block."""
        while True:
            await self._nobody_calls.wait()
            async with self._turn:
                if self._nobody_calls.is_set():
                    yield
                    return
