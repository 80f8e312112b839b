"""Lookups: one request while the answer is fresh, and another after that; with and without Firestore."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from local.cloud import LocalCloud
from shared.base.errors import ToolFailed
from shared.chat.store.paths import lookup_path
from shared.tools.services.lookups import KEEPING_S, CachedLookups
from tests.services.world import World, lookups_of, running_world
from tests.shared.examples import NOW

URL = "https://geocoding-api.open-meteo.com/v1/search?name=Lviv"
HOUR = timedelta(hours=1)


@dataclass
class Clock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with running_world() as found:
        yield found


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def lookups(emulator: str, world: World, clock: Clock) -> AsyncIterator[CachedLookups]:
    async with lookups_of(world, clock) as found:
        yield found


async def test_what_is_fresh_is_not_asked_again(lookups: CachedLookups, world: World, clock: Clock) -> None:
    first = await lookups.get(URL, HOUR, HOUR)
    clock.now += HOUR
    assert await lookups.get(URL, HOUR, HOUR) == first
    assert (first.at, len(world.open_meteo.asked)) == (NOW, 1)
    clock.now += timedelta(seconds=1)
    again = await lookups.get(URL, HOUR, HOUR)
    assert (again.at, len(world.open_meteo.asked)) == (clock.now, 2)
    await lookups.get(f"{URL}&count=3", HOUR, HOUR)
    assert len(world.open_meteo.asked) == 3, "another question"


async def test_an_older_answer_helps_out_for_as_long_as_it_is_of_use(
    lookups: CachedLookups, world: World, clock: Clock
) -> None:
    first = await lookups.get(URL, HOUR, 3 * HOUR)
    world.open_meteo.fails = 500
    clock.now += 3 * HOUR
    assert await lookups.get(URL, HOUR, 3 * HOUR) == first
    clock.now += timedelta(seconds=1)
    with pytest.raises(ToolFailed, match="answered 500"):
        await lookups.get(URL, HOUR, 3 * HOUR)


async def test_what_is_kept_goes_by_itself_and_names_no_place(emulator: str, world: World, clock: Clock) -> None:
    async with lookups_of(world, clock) as lookups:
        answer = await lookups.get(URL, HOUR, 5 * HOUR)
        client = lookups._client
        (kept,) = [document async for document in client.collection("lookups").stream()]
    assert kept.reference.path == lookup_path(URL)
    assert kept.to_dict() == {"text": answer.text, "at": NOW, "expires_at": NOW + 5 * HOUR}


@asynccontextmanager
async def _without_firestore(cloud: LocalCloud, world: World, clock: Clock) -> AsyncIterator[CachedLookups]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIRESTORE_EMULATOR_HOST", "127.0.0.1:9")
        async with lookups_of(world, clock, KEEPING_S) as found:
            yield found


async def test_without_firestore_the_service_is_asked_each_time(cloud: LocalCloud, world: World, clock: Clock) -> None:
    async with _without_firestore(cloud, world, clock) as lookups:
        for _ in range(2):
            assert "Lviv" in (await lookups.get(URL, HOUR, HOUR)).text
    assert len(world.open_meteo.asked) == 2
