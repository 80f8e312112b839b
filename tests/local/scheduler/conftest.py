"""A function for jobs to call."""

from collections.abc import AsyncIterator

import pytest

from tests.local.cloud_tasks.task_handler import TaskHandler, task_handler


@pytest.fixture
async def function() -> AsyncIterator[TaskHandler]:
    """A real server that answers as it is told, and notes what it was sent."""
    async with task_handler() as running:
        yield running
