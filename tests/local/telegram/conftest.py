"""What the tests of the local Telegram share."""

from collections.abc import AsyncIterator

import pytest_asyncio

from local.telegram.settings import TelegramSettings
from local.telegram.world import World
from tests.local.telegram.receiver import Receiver, receiver
from tests.local.telegram.scene import Scene, scene


@pytest_asyncio.fixture
async def sandbox() -> AsyncIterator[Scene]:
    """A scene of this test's own."""
    async with scene() as made:
        yield made


@pytest_asyncio.fixture
async def webhook() -> AsyncIterator[Receiver]:
    """A webhook of this test's own."""
    async with receiver() as made:
        yield made


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    """An empty world that nobody serves."""
    made = World(TelegramSettings())
    yield made
    made.close()
