"""What measures ask: the scripted model, and a database of the worker's local cloud that nothing else is kept in."""

from collections.abc import AsyncIterator

import httpx
import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from local.cloud import LocalCloud
from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.gemini.model import GeminiModel
from tests.shared.adapters.towns import town
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
    """The tick's part of a database of one test's own: what others keep in theirs is neither counted nor searched."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    async with town() as found:
        yield found


@pytest.fixture
def firestore(chats: FirestoreChats) -> AsyncClient:
    """The same database: measures look at all that there is."""
    return chats.client
