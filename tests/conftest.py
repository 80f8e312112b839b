"""One local cloud for the stories of a test worker, with the scripted model and short quiet times."""

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
import pytest_asyncio
from google.cloud.firestore_v1.async_client import AsyncClient

from local.cloud import CloudSpec, LocalCloud
from tests.stories.play import Model, Stage

#: people of a story don't wait as long as real ones
HURRIED = {
    "LULL_QUIET_PRIVATE_S": "0.4",
    "LULL_QUIET_GROUP_S": "0.4",
    "LULL_LATER_S": "1.5",
    "LULL_RETRY_S": "0.5",
    "LULL_MODEL_TRIES": "3",
    "LULL_LEASE_S": "5",
}


@pytest.fixture(scope="session")
def cloud() -> Iterator[LocalCloud]:
    with LocalCloud(CloudSpec(env=HURRIED)).running() as running:
        yield running


@pytest_asyncio.fixture
async def stage(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)  # the official client's own setting
    async with (
        httpx.AsyncClient(base_url=cloud.telegram_url, timeout=30) as telegram,
        httpx.AsyncClient(base_url=cloud.gemini_url, timeout=30) as gemini,
    ):
        model = Model(gemini)
        await model.clear()
        firestore = AsyncClient(project=cloud.project)
        yield Stage(cloud, telegram, model, firestore)
        await model.clear()
        firestore.close()  # type: ignore[no-untyped-call]
