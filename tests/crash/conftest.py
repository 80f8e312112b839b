"""Lanes in the local cloud of a test worker: opened once, when the first test asks for them."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from local.cloud import LocalCloud
from tests.crash.lanes import Lane, open_lanes
from tests.crash.playing import Playhouse, playhouse

#: plays at the same time
LANES = 2


@dataclass(frozen=True)
class Theatre:
    """A playhouse and its lanes."""

    house: Playhouse
    lanes: list[Lane]

    @property
    def lane(self) -> Lane:
        """The first."""
        return self.lanes[0]


@pytest.fixture(scope="session")
async def lanes(cloud: LocalCloud, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[list[Lane]]:
    async with open_lanes(cloud, LANES, tmp_path_factory.mktemp("agents")) as opened:
        yield opened


@pytest.fixture
async def theatre(cloud: LocalCloud, lanes: list[Lane]) -> AsyncIterator[Theatre]:
    async with playhouse(cloud) as house:
        yield Theatre(house, lanes)
