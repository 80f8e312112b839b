"""A function for jobs to call."""

from collections.abc import AsyncIterator

import pytest

from tests.local.cloud_tasks.task_handler import TaskHandler, task_handler


@pytest.fixture
async def function() -> AsyncIterator[TaskHandler]:
    """Run a real server that gives scripted answers and records its requests."""
    async with task_handler() as running:
        yield running
