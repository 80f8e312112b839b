"""A handler, and a Cloud Tasks that dispatches to it."""

from collections.abc import AsyncIterator

import pytest

from tests.local.cloud_tasks.cloud import Cloud, local_cloud
from tests.local.cloud_tasks.task_handler import TaskHandler, task_handler


@pytest.fixture
async def handler() -> AsyncIterator[TaskHandler]:
    async with task_handler() as running:
        yield running


@pytest.fixture
async def cloud() -> AsyncIterator[Cloud]:
    async with local_cloud() as running:
        yield running
