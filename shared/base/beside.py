"""Work beside a block: it begins with the block and ends with it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run some work until the block ends.

    If the work fails, the block is cancelled, and the work's error is raised in its place.
    """
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(work)
            try:
                yield
            finally:
                task.cancel()
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
