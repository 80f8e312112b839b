"""Who has the model: one caller at a time, first come first served; what can wait has it only while nobody calls."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Precedence:
    """One turn at a time. What is done while nobody calls is cut into short turns, so that a caller waits for one."""

    def __init__(self) -> None:
        """Nobody calls."""
        self._turn = asyncio.Lock()  # asyncio's locks are first come, first served
        self._callers = 0
        self._nobody_calls = asyncio.Event()
        self._nobody_calls.set()

    @asynccontextmanager
    async def caller(self) -> AsyncIterator[None]:
        """A caller's turn."""
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
        """A turn while nobody calls or waits."""
        while True:
            await self._nobody_calls.wait()
            async with self._turn:
                if self._nobody_calls.is_set():
                    yield
                    return
