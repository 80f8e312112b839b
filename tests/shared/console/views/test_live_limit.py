"""How many tabs of one person are told what happens, over real HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack

import httpx
import pytest
import uvicorn

from local.guest_server import GuestServer, serving
from local.ports import listen, reserve_port
from shared.console.app import console_app
from shared.console.listening import MOST_OF_ALL, MOST_OF_PERSON, Listener, LiveStreams
from tests.shared.console.harness import BOTS, DOOR, OTHER, OWNER, ConsoleHarness

PATIENCE_S = 30.0


class Tab:
    """A stream of a browser."""

    def __init__(self, answer: httpx.Response) -> None:
        self.lines = answer.aiter_lines()
        self.heard: list[str] = []

    async def hears(self, event: str) -> None:
        """Read until an event of this name."""
        async with asyncio.timeout(PATIENCE_S):
            async for line in self.lines:
                self.heard.append(line)
                if line == f"event: {event}":
                    return
        raise AssertionError(self.heard)

    async def is_over(self) -> bool:
        """Read until the stream ends, and return whether it has ended."""
        async with asyncio.timeout(PATIENCE_S):
            self.heard += [line async for line in self.lines]
        return True


@pytest.fixture
async def address(console: ConsoleHarness) -> AsyncIterator[str]:
    """Serve the console."""
    port = reserve_port()
    app = console_app(console.door, lambda: console.services)
    config = uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=1)
    async with serving(GuestServer(config), listen("127.0.0.1", port.number)):
        yield f"http://127.0.0.1:{port.number}"
    port.release()


async def browser(console: ConsoleHarness, address: str, person: int, agent: str) -> httpx.AsyncClient:
    """Return a browser in which a person is signed in."""
    client = httpx.AsyncClient(base_url=address, timeout=PATIENCE_S, limits=httpx.Limits(max_connections=None))
    own_page = {"Origin": address, "Sec-Fetch-Site": "same-origin", "X-Lull-Console": "1"}
    data = console.telegram.init_data(person, BOTS[agent], console.now)
    assert (await client.post(f"/{DOOR}/telegram", json={"init_data": data}, headers=own_page)).status_code == 200
    return client


async def test_the_oldest_tab_of_a_person_is_paused(console: ConsoleHarness, address: str) -> None:
    await console.claim("lull", OWNER)
    await console.claim("moss", OTHER)
    ours = await browser(console, address, OWNER, "lull")
    theirs = await browser(console, address, OTHER, "moss")
    async with AsyncExitStack() as opened:
        for one in (ours, theirs):
            opened.push_async_callback(one.aclose)

        async def opens(client: httpx.AsyncClient) -> Tab:
            tab = Tab(await opened.enter_async_context(client.stream("GET", "/api/live")))
            await tab.hears("hello")
            return tab

        other = await opens(theirs)
        tabs = [await opens(ours) for _ in range(MOST_OF_PERSON + 2)]
        for tab in tabs[:2]:
            await tab.hears("paused")
            assert await tab.is_over()
        again = await opens(ours)
        await tabs[2].hears("paused")
        assert await tabs[2].is_over()
        await console.claim("lull", OTHER)  # all streams of whoever is no longer the owner end without a pause
        for tab in (*tabs[3:], again):
            assert await tab.is_over()
            assert "event: paused" not in tab.heard
        assert "event: paused" not in other.heard


def test_many_owners_share_the_streams_of_an_instance() -> None:
    streams, listeners = LiveStreams(), dict[int, list[Listener]]()
    with ExitStack() as held:
        for person in (1, 2, 3, 4) * 10:
            listener = Listener(follows=frozenset())
            held.enter_context(streams.hold(person, listener))
            listeners.setdefault(person, []).append(listener)
        left = {person: sum(not one.is_ended for one in some) for person, some in listeners.items()}
    assert sum(left.values()) == MOST_OF_ALL
    assert max(left.values()) - min(left.values()) <= 1, "nobody pushes the others out"
    assert not any(some[-1].is_ended for some in listeners.values()), "the newest tab of each stays"
