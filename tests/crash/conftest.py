"""Lanes in the local cloud of a test worker, each opened when the first test needs it."""

from collections.abc import AsyncIterator

import pytest

from local.cloud import LocalCloud
from tests.crash.lanes import Lane, open_lanes
from tests.crash.playing import Playhouse, playhouse


@pytest.fixture(scope="session")
async def lane(cloud: LocalCloud, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Lane]:
    async with open_lanes(cloud, ["lane0"], tmp_path_factory.mktemp("agents")) as (opened,):
        yield opened


@pytest.fixture(scope="session")
async def lanes(
    cloud: LocalCloud, lane: Lane, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Lane, Lane]]:
    """Yield two lanes, for two plays at the same time."""
    async with open_lanes(cloud, ["lane1"], tmp_path_factory.mktemp("agents")) as (another,):
        yield lane, another


@pytest.fixture
async def backend(cloud: LocalCloud) -> AsyncIterator[Playhouse]:
    async with playhouse(cloud) as opened:
        yield opened
