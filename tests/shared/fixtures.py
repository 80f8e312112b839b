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
from tests.shared.media.workshop import Workshop, workshop
from tests.shared.paused_queue import PausedQueue
from tests.shared.reader.web.hostile import HostileServer, hostile_server
from tests.shared.tools.toolboxes import CONTEXT
from tests.shared.turn.room import House, Room, house, room
from tests.stories.play import Model, Stage

OpenRoom = Callable[..., Awaitable[Room]]


@pytest.fixture(scope="module")
def own_firestore() -> Iterator[LocalCloud]:
    """A Firestore for a module that writes much: the emulator frees nothing that was deleted until it ends."""
    with LocalCloud(forked(has_own_firestore=True, parts=("firestore",))).running() as running:
        yield running


@pytest_asyncio.fixture(scope="module")
async def shared_house(cloud: LocalCloud, model_url: str, project: str) -> AsyncIterator[House]:
    """The adapters and the bot of a module."""
    async with house(cloud, model_url, project) as found:
        yield found


@pytest.fixture
async def here(shared_house: House, paused_queue: PausedQueue, script: Model) -> Room:
    """A private chat with an agent that answers at once."""
    return await room(shared_house, paused_queue, script)


@pytest.fixture
async def slow(shared_house: House, paused_queue: PausedQueue, script: Model) -> Room:
    """A private chat with an agent that types as a person does."""
    return await room(shared_house, paused_queue, script, pace=ReplyPace.HUMAN)


@pytest.fixture
async def group(shared_house: House, paused_queue: PausedQueue, script: Model) -> Room:
    """A group of three people with an agent that answers at once."""
    return await room(shared_house, paused_queue, script, people=2)


@pytest.fixture
async def slow_group(shared_house: House, paused_queue: PausedQueue, script: Model) -> Room:
    """A group of three people with an agent that types as a person does."""
    return await room(shared_house, paused_queue, script, people=2, pace=ReplyPace.HUMAN)


@pytest.fixture
def rooms(shared_house: House, script: Model, new_queue: Callable[[], Awaitable[PausedQueue]]) -> OpenRoom:
    """As many rooms as a test wants."""

    async def make(**how: str) -> Room:
        return await room(shared_house, await new_queue(), script, **how)

    return make


@pytest_asyncio.fixture
async def shop(stage: Stage, paused_queue: PausedQueue, script: Model) -> AsyncIterator[Workshop]:
    """The parts of what describes files."""
    async with workshop(stage, paused_queue, script) as opened:
        yield opened


@pytest.fixture
async def png(here: Room) -> bytes:
    """A picture that the local Telegram takes for a photo."""
    stickers = (await here.house.telegram.get("/world")).raise_for_status().json()["stickers"]
    answer = await here.house.telegram.get(f"/world/files/{stickers[0]['file_id']}")
    return answer.raise_for_status().content


@pytest.fixture(scope="session")
def services() -> Iterator[World]:
    """The services that tools look things up at."""
    with running_world() as world:
        yield world


@pytest.fixture
async def looking(emulator: str, services: World) -> AsyncIterator[ToolContext]:
    """Somebody asks, where services can be looked up, and nobody has asked before."""
    async with lookups_of(services, lambda: CONTEXT.now) as lookups:
        yield replace(CONTEXT, ports=PortRegistry({CachedLookups: lookups}))


@pytest.fixture
async def store(emulator: str) -> AsyncIterator[FirestoreInspection]:
    """What is read for whoever looks."""
    found = FirestoreInspection(emulator)
    yield found
    found.client.close()  # type: ignore[no-untyped-call]


@pytest.fixture(scope="session")
def hostile() -> Iterator[HostileServer]:
    """A server on this machine that answers as no honest one does."""
    with hostile_server() as server:
        yield server
