"""What measures ask: the scripted model, and the Firestore of the worker's local cloud."""

from collections.abc import AsyncIterator

import httpx
import pytest

from local.cloud import LocalCloud
from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.gemini.model import GeminiModel
from tests.shared.conftest import model_at
from tests.stories.play import Model


@pytest.fixture
async def script(model_url: str) -> AsyncIterator[Model]:
    """What it will say: nothing yet."""
    async with httpx.AsyncClient(base_url=model_url, timeout=30) as http:
        model = await Model.from_now(http)
        await model.clear()
        yield model
        await model.clear()


@pytest.fixture
async def gemini(model_url: str, script: Model) -> AsyncIterator[GeminiModel]:
    """The adapter that asks it."""
    async with model_at(model_url, 5.0, 1) as model:
        yield model


@pytest.fixture
async def chats(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FirestoreChats]:
    """The tick's part of Firestore."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    found = FirestoreChats(cloud.project)
    yield found
    found.client.close()  # type: ignore[no-untyped-call]  # the official client has no types
