"""The console over the worker's emulator, and ways to sign in."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from local.cloud import LocalCloud
from tests.shared.conftest import new_project
from tests.shared.console.harness import ConsoleHarness
from tests.shared.paused_queue import PausedQueue


@pytest.fixture
async def console(
    cloud: LocalCloud, new_queue: Callable[[], Awaitable[PausedQueue]], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ConsoleHarness]:
    """Give the console of the agents `lull` and `moss`, which nobody owns yet, with a project of its own."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    project = new_project()
    client = AsyncClient(project=project)
    async with ConsoleHarness(client, project, await new_queue()) as harness:
        yield harness
    _close(client)


def _close(client: Any) -> None:
    client.close()  # the official client has no types here
