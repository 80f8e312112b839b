"""The adapters over the worker's local cloud, each over a place of its own: a project, new ids, a paused queue."""

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
from tests.shared.fixtures import (  # found by their names
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

#: a thousand apart: tests make ids of their own by adding to one or taking away
_chat_ids = itertools.count(2_000_000_000 + os.getpid() * 10_000_000, 1_000)
_projects = itertools.count()


def new_project() -> str:
    """Return an unused project: every document in a project slows the emulator's queries of it."""
    return f"beside-{os.getpid()}-{next(_projects)}"


@pytest.fixture
def key() -> ChatKey:
    """A chat that no other test has."""
    return ChatKey(agent="lull", chat_id=next(_chat_ids))


@pytest.fixture(scope="module")
def project() -> str:
    """A project of the emulator for one module: no sweep and no other module finds anything in it."""
    return new_project()


@pytest.fixture
def emulator(cloud: LocalCloud, project: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The module's project; the official client finds the emulator by its own setting."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    return project


@pytest.fixture
async def inbox(emulator: str) -> AsyncIterator[FirestoreInbox]:
    """The webhook's part of Firestore."""
    found = FirestoreInbox(emulator)
    yield found
    _close(found.client)


@pytest.fixture
async def chats(emulator: str) -> AsyncIterator[FirestoreChats]:
    """The tick's part of Firestore."""
    found = FirestoreChats(emulator)
    yield found
    _close(found.client)


@asynccontextmanager
async def model_at(
    url: str, timeout_s: float, tries: int, access: GeminiAccess = "the-key"
) -> AsyncIterator[GeminiModel]:
    """The model's adapter over any server."""
    model = GeminiModel("gemini-test", access, url, timeout_s, tries)
    yield model
    await model.api.aclose()


def _close(client: Any) -> None:
    client.close()  # the official client has no types


@pytest.fixture
async def export_harness(
    emulator: str, cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ExportHarness]:
    """Where people's things are, and what gathers them for them."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", cloud.storage_url)
    client = AsyncClient(project=emulator)
    found = ExportHarness(client, emulator)
    yield found
    found.close()
    _close(client)


@pytest.fixture
async def new_queue(cloud: LocalCloud) -> AsyncIterator[Callable[[], Awaitable[PausedQueue]]]:
    """Makes queues that keep their tasks: they can be looked at, and nothing runs them."""
    async with grpc.aio.insecure_channel(cloud.tasks_address) as channel:
        client = CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))
        location = cloud.queue.rpartition("/queues/")[0]
        yield lambda: PausedQueue.make(client, location, cloud.tasks_address)


@pytest.fixture
async def paused_queue(new_queue: Callable[[], Awaitable[PausedQueue]]) -> PausedQueue:
    """One of them."""
    return await new_queue()


@pytest.fixture
async def script(model_url: str) -> AsyncIterator[Model]:
    """The scripted model, with nothing to say yet."""
    async with httpx.AsyncClient(base_url=model_url, timeout=30) as http:
        model = await Model.from_now(http)
        await model.clear()
        yield model
        await model.clear()


@pytest.fixture
async def gemini(model_url: str, script: Model) -> AsyncIterator[GeminiModel]:
    """The model's adapter over the scripted model; it asks twice."""
    async with model_at(model_url, 5.0, 2) as model:
        yield model
