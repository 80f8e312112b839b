"""The adapters over the worker's local cloud, each with its own project, new ids and a paused queue."""

import itertools
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import httpx
import pytest
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.tasks_v2 import CloudTasksAsyncClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport

from local.cloud import LocalCloud
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.llm.gemini.credentials import GeminiAccess
from shared.llm.gemini.model import GeminiModel
from shared.values.chat_key import ChatKey
from tests.shared.exports import ExportHarness
from tests.shared.fixtures import (  # pytest finds fixtures by name
    describe_harness,
    group,
    harness,
    hostile,
    looking,
    open_harness,
    own_firestore,
    png,
    services,
    shared_backend,
    slow,
    slow_group,
    store,
)
from tests.shared.paused_queue import PausedQueue
from tests.stories.play import Model

__all__ = [
    "describe_harness",
    "group",
    "harness",
    "hostile",
    "looking",
    "open_harness",
    "own_firestore",
    "png",
    "services",
    "shared_backend",
    "slow",
    "slow_group",
    "store",
]

#: a thousand apart, as tests derive ids by adding or subtracting
_chat_ids = itertools.count(2_000_000_000 + os.getpid() * 10_000_000, 1_000)
_projects = itertools.count()


def new_project() -> str:
    """Return an unused project: every document in a project slows the emulator's queries of it."""
    return f"beside-{os.getpid()}-{next(_projects)}"


@pytest.fixture
def key() -> ChatKey:
    """Give the key of an unused chat."""
    return ChatKey(agent="lull", chat_id=next(_chat_ids))


@pytest.fixture(scope="module")
def project() -> str:
    """Make a project of the emulator for one module, separate from sweeps and other modules."""
    return new_project()


@pytest.fixture
def emulator(cloud: LocalCloud, project: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the module's project, and point the official client to the emulator."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    return project


@pytest.fixture
async def inbox(emulator: str) -> AsyncIterator[FirestoreInbox]:
    """Open the webhook's part of Firestore."""
    found = FirestoreInbox(emulator)
    yield found
    _close(found.client)


@pytest.fixture
async def chats(emulator: str) -> AsyncIterator[FirestoreChats]:
    """Open the tick's part of Firestore."""
    found = FirestoreChats(emulator)
    yield found
    _close(found.client)


@asynccontextmanager
async def model_at(
    url: str, timeout_s: float, tries: int, access: GeminiAccess = "the-key"
) -> AsyncIterator[GeminiModel]:
    """Make the adapter of models over any server."""
    model = GeminiModel("gemini-test", access, url, timeout_s, tries)
    yield model
    await model.api.aclose()


def _close(client: Any) -> None:
    client.close()  # the official client has no types here


@pytest.fixture
async def export_harness(
    emulator: str, cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ExportHarness]:
    """Make the stores of people's data, and the export over them."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", cloud.storage_url)
    client = AsyncClient(project=emulator)
    found = ExportHarness(client, emulator)
    yield found
    found.close()
    _close(client)


@pytest.fixture
async def new_queue(cloud: LocalCloud) -> AsyncIterator[Callable[[], Awaitable[PausedQueue]]]:
    """Give a function that makes queues whose tasks can be read, but do not run."""
    async with grpc.aio.insecure_channel(cloud.tasks_address) as channel:
        client = CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))
        location = cloud.queue.rpartition("/queues/")[0]
        yield lambda: PausedQueue.make(client, location, cloud.tasks_address)


@pytest.fixture
async def paused_queue(new_queue: Callable[[], Awaitable[PausedQueue]]) -> PausedQueue:
    """Make a paused queue."""
    return await new_queue()


@pytest.fixture
async def script(model_url: str) -> AsyncIterator[Model]:
    """Give the scripted model without answers."""
    async with httpx.AsyncClient(base_url=model_url, timeout=30) as http:
        model = await Model.from_now(http)
        await model.clear()
        yield model
        await model.clear()


@pytest.fixture
async def gemini(model_url: str, script: Model) -> AsyncIterator[GeminiModel]:
    """Make the adapter over the scripted model, with two tries."""
    async with model_at(model_url, 5.0, 2) as model:
        yield model
