"""Traffic goes to every chat in turn, and knows which of its lines call for an answer."""

import asyncio
from collections.abc import AsyncIterator

import pytest_asyncio

from benchmarks.census import unanswered
from benchmarks.outages.names import names_in
from benchmarks.outages.traffic import PRIVATE_CHATS, Traffic, opened
from benchmarks.town import town
from local.bots import register_bots
from local.cloud import CloudSpec, LocalCloud

TURNS = PRIVATE_CHATS + 1


@pytest_asyncio.fixture
async def traffic() -> AsyncIterator[Traffic]:
    """Of a town whose bot nobody has set up to answer."""
    with LocalCloud(CloudSpec(parts=("telegram", "gemini", "cloud_tasks"))).running() as cloud:
        register_bots(cloud.telegram_url, cloud.agents, cloud.credentials.of(cloud.agents))
        async with town(cloud) as place:
            yield await opened(place)


async def test_each_chat_gets_its_lines_and_each_line_a_name(traffic: Traffic) -> None:
    for _ in range(2 * TURNS):
        await traffic.write_next()
    assert traffic.lines == 2 * TURNS
    for key in traffic.private:
        seen = await traffic.seen(key)
        assert [line.text for line in seen] == traffic.wanted[key]
        assert unanswered(seen, traffic.wanted[key]) == traffic.wanted[key]
    meant, chatter = await traffic.seen(traffic.group)
    assert meant.text.startswith("@lull_bot ")
    assert names_in(meant.text) == traffic.wanted[traffic.group]
    assert names_in(chatter.text) == [chatter.text]
    everything = {name for names in traffic.wanted.values() for name in names} | {chatter.text}
    assert len(everything) == 2 * TURNS

    stop = asyncio.Event()
    stop.set()
    await traffic.run(stop)
    assert traffic.lines == 2 * TURNS
