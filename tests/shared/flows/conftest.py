"""Rooms for the tests of a module."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest
import pytest_asyncio

from local.cloud import LocalCloud
from shared.models.agent import Pace
from tests.forking import forked
from tests.shared.flows.room import House, Room, house, room
from tests.shared.paused_queue import PausedQueue
from tests.stories.play import Model

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
    return await room(shared_house, paused_queue, script, pace=Pace.HUMAN)


@pytest.fixture
async def group(shared_house: House, paused_queue: PausedQueue, script: Model) -> Room:
    """A group of three people with an agent that answers at once."""
    return await room(shared_house, paused_queue, script, people=2)


@pytest.fixture
async def slow_group(shared_house: House, paused_queue: PausedQueue, script: Model) -> Room:
    """A group of three people with an agent that types as a person does."""
    return await room(shared_house, paused_queue, script, people=2, pace=Pace.HUMAN)


@pytest.fixture
def rooms(shared_house: House, script: Model, new_queue: Callable[[], Awaitable[PausedQueue]]) -> OpenRoom:
    """As many rooms as a test wants."""

    async def make(**how: str) -> Room:
        return await room(shared_house, await new_queue(), script, **how)

    return make
