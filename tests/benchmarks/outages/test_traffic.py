"""Traffic goes to every chat in turn, and records which of its lines need an answer."""

import asyncio
from collections.abc import AsyncIterator

import pytest_asyncio

from benchmarks.census import unanswered_names
from benchmarks.outages.names import names_in
from benchmarks.outages.traffic import FILE_EVERY, PRIVATE_CHATS, Traffic, open_traffic
from benchmarks.town import town
from local.bots import register_bots
from local.cloud import LocalCloud
from tests.forking import forked

TURNS = PRIVATE_CHATS + 1


@pytest_asyncio.fixture
async def traffic() -> AsyncIterator[Traffic]:
    """Yield the traffic of a town whose bot does not answer."""
    with LocalCloud(forked(parts=("telegram", "model", "cloud_tasks"))).running() as cloud:
        register_bots(cloud.telegram_url, cloud.agents, cloud.credentials.of(cloud.agents))
        async with town(cloud) as place:
            yield await open_traffic(place)


async def test_each_chat_gets_its_lines_and_each_line_a_name(traffic: Traffic) -> None:
    for _ in range(2 * TURNS):
        await traffic.write_next()
    assert traffic.lines == 2 * TURNS
    for key in traffic.private:
        seen = await traffic.lines_seen(key)
        assert [line.text for line in seen] == traffic.wanted[key]
        assert unanswered_names(seen, traffic.wanted[key]) == traffic.wanted[key]
    meant, chatter = await traffic.lines_seen(traffic.group)
    assert meant.text.startswith("@lull_bot ")
    assert names_in(meant.text) == traffic.wanted[traffic.group]
    assert names_in(chatter.text) == [chatter.text]
    everything = {name for names in traffic.wanted.values() for name in names} | {chatter.text}
    assert len(everything) == 2 * TURNS
    assert set(traffic.written) == everything

    stop = asyncio.Event()
    stop.set()
    await traffic.run(stop)
    assert traffic.lines == 2 * TURNS
    await check_files(traffic)


async def check_files(traffic: Traffic) -> None:
    """Check that with files some lines are captions, and that two consecutive files are the same."""
    traffic.has_files = True
    for _ in range(TURNS):
        await traffic.write_next()
    for key in traffic.private:
        assert [line.text for line in await traffic.lines_seen(key)] == traffic.wanted[key]
    places = dict(traffic.files)
    found = [await files_of(traffic, key) for key in traffic.private]
    assert [bool(one) for one in found] == [traffic.ids[key] in places for key in traffic.private]
    names = [one[0] for one in found if one]
    assert len(names) == PRIVATE_CHATS // FILE_EVERY
    assert len(set(names)) < len(names)


async def files_of(traffic: Traffic, key: str) -> list[str]:
    """Return the files that were sent in a chat."""
    found = await traffic.place.telegram.get(f"/world/chats/{key}/messages")
    messages = found.raise_for_status().json()["messages"]
    return [(m["photo"] or m["file"])["unique_id"] for m in messages if m["photo"] or m["file"]]
