"""A workshop for each test."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.shared.describing.workshop import Workshop, workshop
from tests.shared.paused_queue import PausedQueue
from tests.stories.play import Model, Stage


@pytest_asyncio.fixture
async def shop(stage: Stage, paused_queue: PausedQueue, script: Model) -> AsyncIterator[Workshop]:
    """The parts of what describes files."""
    async with workshop(stage, paused_queue, script) as opened:
        yield opened
