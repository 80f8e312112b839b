"""Tools that look something up, at services that are played, and with what they said kept in the real Firestore."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest

from shared.ports.lookups import Lookups
from shared.ports.world import Ports
from shared.tools.tool import ToolContext
from tests.services.world import World, lookups_of, running_world
from tests.shared.flows.conftest import here, rooms, shared_house
from tests.shared.tools.toolboxes import CONTEXT

__all__ = ["here", "rooms", "shared_house"]


@pytest.fixture(scope="session")
def services() -> Iterator[World]:
    """The services."""
    with running_world() as world:
        yield world


@pytest.fixture
async def looking(emulator: str, services: World) -> AsyncIterator[ToolContext]:
    """Somebody asks, where services can be looked up, and nobody has asked before."""
    async with lookups_of(services, lambda: CONTEXT.now) as lookups:
        yield replace(CONTEXT, ports=Ports({Lookups: lookups}))
