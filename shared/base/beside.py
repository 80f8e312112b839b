"""Work beside a block: it begins with the block and ends with it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

T = TypeVar("T")


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
        first = errors.exceptions[0]
        raise first from first.__cause__


async def to_its_end(step: Coroutine[Any, Any, T]) -> T:
    """Return the result of a step of such work that is not to be left half done.

    If the block ends meanwhile, it waits for the step, and the step's error is raised as any error of the work is.
    """
    task = asyncio.ensure_future(step)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        task.result()
        raise
