"""Background work that begins and ends with a block of code."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

T = TypeVar("T")


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run background work until the block ends.

    If the work fails, the block is cancelled and raises the work's error.
    """
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(work)
            try:
                yield
            finally:
                task.cancel()
    except BaseExceptionGroup as errors:
        first = errors.exceptions[0]
        raise first from first.__cause__


async def to_its_end(step: Coroutine[Any, Any, T]) -> T:
    """Run an uninterruptible step within the background work of `beside`, and return the step's result.

    If the block ends while the step runs, the block waits for the step, and raises the step's error.
    """
    task = asyncio.ensure_future(step)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        task.result()
        raise
