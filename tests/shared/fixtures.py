"""Fixtures for the tests of shared/: rooms, a workshop, services that are played."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace

import pytest
import pytest_asyncio

from local.cloud import LocalCloud
from shared.llm.ports.world import PortRegistry
from shared.tools.services.lookups import CachedLookups
from shared.tools.tool import ToolContext
from shared.upkeep.store.inspection import FirestoreInspection
from shared.values.agent import ReplyPace
from tests.forking import forked
from tests.services.world import World, lookups_of, running_world
from tests.shared.media.describe_harness import DescribeHarness, describe_harness_of
from tests.shared.paused_queue import PausedQueue
from tests.shared.reader.web.hostile import HostileServer, hostile_server
from tests.shared.tools.toolboxes import CONTEXT
from tests.shared.turn.harness import ChatHarness, HarnessBackend, backend, make_harness
from tests.stories.play import Model, Sandbox

OpenHarness = Callable[..., Awaitable[ChatHarness]]


@pytest.fixture(scope="module")
def own_firestore() -> Iterator[LocalCloud]:
    """Start a Firestore for a module that writes much, as the emulator frees deleted documents only at its end."""
    with LocalCloud(forked(has_own_firestore=True, parts=("firestore",))).running() as running:
        yield running


@pytest_asyncio.fixture(scope="module")
async def shared_backend(cloud: LocalCloud, model_url: str, project: str) -> AsyncIterator[HarnessBackend]:
    """Make the adapters and the bot of a module."""
    async with backend(cloud, model_url, project) as found:
        yield found


@pytest.fixture
async def harness(shared_backend: HarnessBackend, paused_queue: PausedQueue, script: Model) -> ChatHarness:
    """Make a private chat with an agent that answers at once."""
    return await make_harness(shared_backend, paused_queue, script)


@pytest.fixture
async def slow(shared_backend: HarnessBackend, paused_queue: PausedQueue, script: Model) -> ChatHarness:
    """Make a private chat with an agent that types as a person does."""
    return await make_harness(shared_backend, paused_queue, script, pace=ReplyPace.HUMAN)


@pytest.fixture
async def group(shared_backend: HarnessBackend, paused_queue: PausedQueue, script: Model) -> ChatHarness:
    """Make a group of three people with an agent that answers at once."""
    return await make_harness(shared_backend, paused_queue, script, people=2)


@pytest.fixture
async def slow_group(shared_backend: HarnessBackend, paused_queue: PausedQueue, script: Model) -> ChatHarness:
    """Make a group of three people with an agent that types as a person does."""
    return await make_harness(shared_backend, paused_queue, script, people=2, pace=ReplyPace.HUMAN)


@pytest.fixture
def open_harness(
    shared_backend: HarnessBackend, script: Model, new_queue: Callable[[], Awaitable[PausedQueue]]
) -> OpenHarness:
    """Give a function that makes rooms."""

    async def make(**how: str) -> ChatHarness:
        return await make_harness(shared_backend, await new_queue(), script, **how)

    return make


@pytest_asyncio.fixture
async def describe_harness(
    sandbox: Sandbox, paused_queue: PausedQueue, script: Model
) -> AsyncIterator[DescribeHarness]:
    """Make the parts of the function that describes files."""
    async with describe_harness_of(sandbox, paused_queue, script) as opened:
        yield opened


@pytest.fixture
async def png(harness: ChatHarness) -> bytes:
    """Make a picture that the local Telegram accepts as a photo."""
    stickers = (await harness.backend.telegram.get("/world")).raise_for_status().json()["stickers"]
    answer = await harness.backend.telegram.get(f"/world/files/{stickers[0]['file_id']}")
    return answer.raise_for_status().content


@pytest.fixture(scope="session")
def services() -> Iterator[World]:
    """Run the services of tools."""
    with running_world() as world:
        yield world


@pytest.fixture
async def looking(emulator: str, services: World) -> AsyncIterator[ToolContext]:
    """Make the context of a request with all services and an empty cache."""
    async with lookups_of(services, lambda: CONTEXT.now) as lookups:
        yield replace(CONTEXT, ports=PortRegistry({CachedLookups: lookups}))


@pytest.fixture
async def store(emulator: str) -> AsyncIterator[FirestoreInspection]:
    """Open the store of inspections."""
    found = FirestoreInspection(emulator)
    yield found
    found.client.close()  # type: ignore[no-untyped-call]


@pytest.fixture(scope="session")
def hostile() -> Iterator[HostileServer]:
    """Run a server whose answers attack its clients."""
    with hostile_server() as server:
        yield server
