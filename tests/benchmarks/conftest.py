"""The model of the measures that ask one: the scripted one."""

from collections.abc import AsyncIterator

import httpx
import pytest

from local.cloud import LocalCloud
from shared.adapters.gemini.model import GeminiModel
from tests.shared.conftest import model_at
from tests.stories.play import Model


@pytest.fixture
async def script(cloud: LocalCloud) -> AsyncIterator[Model]:
    """What it will say: nothing yet."""
    async with httpx.AsyncClient(base_url=cloud.gemini_url, timeout=30) as http:
        model = Model(http)
        await model.clear()
        yield model
        await model.clear()


@pytest.fixture
async def gemini(cloud: LocalCloud, script: Model) -> AsyncIterator[GeminiModel]:
    """The adapter that asks it."""
    async with model_at(cloud.gemini_url, 5.0, 1) as model:
        yield model
