"""All services behind one address, and the settings with which lull uses them instead of the real ones."""

import itertools
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient
from starlette.applications import Starlette

from shared.tools.services import lookups
from shared.tools.services.fetching import Fetcher
from shared.tools.services.lookups import CachedLookups
from tests.local.serving import serving
from tests.services.ecb import Ecb
from tests.services.open_meteo import OpenMeteo
from tests.services.searxng import SearXngServer

_projects = itertools.count(1)


@dataclass
class World:
    """The running services."""

    url: str = ""
    open_meteo: OpenMeteo = field(default_factory=OpenMeteo)
    ecb: Ecb = field(default_factory=Ecb)
    searxng: SearXngServer = field(default_factory=SearXngServer)

    @property
    def instead(self) -> dict[str, str]:
        """The value for LULL_SERVICES."""
        return {
            "https://geocoding-api.open-meteo.com": f"{self.url}/geocoding",
            "https://api.open-meteo.com": f"{self.url}/forecast",
            "https://data-api.ecb.europa.eu": f"{self.url}/ecb",
        }

    def forget(self) -> None:
        """Forget all requests and failures."""
        for service in (self.open_meteo, self.ecb, self.searxng):
            service.asked.clear()
            service.fails = 0


@contextmanager
def running_world() -> Iterator[World]:
    """Run all services."""
    world = World()
    with serving(Starlette(routes=[*world.open_meteo.routes(), *world.ecb.routes(), *world.searxng.routes()])) as url:
        world.url = url
        yield world


@asynccontextmanager
async def lookups_of(
    world: World, clock: Callable[[], datetime], keeping_s: float = 30.0
) -> AsyncIterator[CachedLookups]:
    """Make the adapter over the services and an empty database, whose writes may take `keeping_s`."""
    world.forget()
    client, fetcher = AsyncClient(project=f"lookups-{os.getpid()}-{next(_projects)}"), Fetcher(world.instead)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookups, "KEEPING_S", keeping_s)
        yield CachedLookups(client, fetcher, clock)
    await fetcher.aclose()
    client.close()  # type: ignore[no-untyped-call]
