"""Fixtures for tests of the local Telegram."""

from collections.abc import AsyncIterator

import pytest_asyncio

from local.telegram.settings import TelegramSettings
from local.telegram.world import World
from tests.local.telegram.receiver import Receiver, receiver
from tests.local.telegram.scene import Scene, scene


@pytest_asyncio.fixture
async def sandbox() -> AsyncIterator[Scene]:
    """Make a scene for this test."""
    async with scene() as made:
        yield made


@pytest_asyncio.fixture
async def webhook() -> AsyncIterator[Receiver]:
    """Serve a webhook for this test."""
    async with receiver() as made:
        yield made


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    """Make an empty world without a server."""
    made = World(TelegramSettings())
    yield made
    made.close()
