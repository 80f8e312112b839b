"""The outages. Each is a context manager that makes one component fail while its block runs. It is told in advance how
many seconds the block will run.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from operator import attrgetter

from benchmarks.outages.relay import Relay
from benchmarks.outages.rim import Rim
from benchmarks.town import Town

#: seconds by which calls to a slow server are delayed
SLOW_S = 1.5
#: for outages that kill a function repeatedly: seconds from a restart to the next kill
LIFE_S = 3.0
#: seconds for which a stalling server is silent. This is longer than lull waits for an answer; afterwards the server
#: processes the requests that it received
STALL_S = 12.0
#: seconds from one stall to the next
STALL_EVERY_S = 18.0
#: for a flood: seconds after which the wait that Telegram demands is updated to the remaining seconds
FLOOD_S = 1.0
#: a number of calls that no outage reaches
ALL = 1_000_000
#: Gemini's answer if a quota is used up (ai.google.dev/gemini-api/docs/troubleshooting)
OVER_QUOTA = {"status": 429, "error": "Resource has been exhausted (e.g. check quota).", "match": ".", "times": None}


#: the beginning of requests for a description (shared/media/description_prompt.py)
ASKED_TO_DESCRIBE = "You describe files"
#: faults of Gemini that affect only the descriptions of files: an error, and a long delay
NO_DESCRIPTION = {"status": 503, "error": "The model is overloaded.", "match": ASKED_TO_DESCRIBE, "times": None}
LATE_DESCRIPTION = {
    "text": '{"shows": "something that took long to see", "says": ""}',
    "delay_s": 20.0,
    "match": ASKED_TO_DESCRIBE,
    "times": None,
}
#: a fault of Gemini that affects only the embedding model
NO_VECTORS = {"vectors": {"status": 503, "error": "The model is overloaded."}}


@dataclass(frozen=True)
class Site:
    """The place of an outage: the town of a running cloud, and the relays (rim) around the cloud's functions."""

    place: Town
    rim: Rim


Outage = Callable[[Site, float], AbstractAsyncContextManager[None]]


def _slow(server: str) -> Outage:
    relay_of: Callable[[Rim], Relay] = attrgetter(server)

    @asynccontextmanager
    async def slow(site: Site, seconds: float) -> AsyncIterator[None]:
        relay_of(site.rim).delay(SLOW_S)
        yield
        relay_of(site.rim).delay(0)

    return slow


def _stalling(server: str) -> Outage:
    """Return an outage that from time to time delays requests for so long that nobody waits for the answers any more.
    The requests still have their effects.
    """
    relay_of: Callable[[Rim], Relay] = attrgetter(server)

    @asynccontextmanager
    async def stalling(site: Site, seconds: float) -> AsyncIterator[None]:
        async def stall() -> None:
            relay_of(site.rim).delay(STALL_S)
            await asyncio.sleep(1)  # a request that arrives now also delays all later requests on its connection
            relay_of(site.rim).delay(0)

        async with _going_on(stall, STALL_EVERY_S):
            yield

    return stalling


def _refusing(server: str) -> Outage:
    relay_of: Callable[[Rim], Relay] = attrgetter(server)

    @asynccontextmanager
    async def refusing(site: Site, seconds: float) -> AsyncIterator[None]:
        relay_of(site.rim).refuse()
        yield
        await relay_of(site.rim).listen()

    return refusing


def _silent(server: str) -> Outage:
    """Return an outage that keeps and accepts connections without forwarding anything. At the end it breaks the
    connections.
    """
    relay_of: Callable[[Rim], Relay] = attrgetter(server)

    @asynccontextmanager
    async def silent(site: Site, seconds: float) -> AsyncIterator[None]:
        relay_of(site.rim).delay(10 * seconds)
        yield
        relay_of(site.rim).delay(0)
        relay_of(site.rim).cut()

    return silent


@asynccontextmanager
async def _telegram_down_at_start(site: Site, seconds: float) -> AsyncIterator[None]:
    """Let Telegram refuse connections while a new instance of the tick function starts, which does not know the names
    of its bots yet.
    """
    site.rim.telegram.refuse()
    await asyncio.to_thread(site.place.cloud.restart, "tick")
    yield
    await site.rim.telegram.listen()


@asynccontextmanager
async def _telegram_failing(site: Site, seconds: float) -> AsyncIterator[None]:
    await _telegram_answers(site, kind="500")
    yield
    (await site.place.telegram.delete("/world/faults")).raise_for_status()


@asynccontextmanager
async def _telegram_flooded(site: Site, seconds: float) -> AsyncIterator[None]:
    """Answer every call of the bot with 429 and the seconds to wait until the outage is over."""
    until = time.monotonic() + seconds

    async def flood() -> None:
        (await site.place.telegram.delete("/world/faults")).raise_for_status()
        await _telegram_answers(site, kind="429", retry_after=max(1, round(until - time.monotonic())))

    async with _going_on(flood, FLOOD_S):
        yield
    (await site.place.telegram.delete("/world/faults")).raise_for_status()


async def _telegram_answers(site: Site, **fault: str | int) -> None:
    body = {"method": "*", "times": ALL, **fault}
    (await site.place.telegram.post("/world/faults", json=body)).raise_for_status()


def _gemini_says(reply: Mapping[str, object]) -> Outage:
    """Return an outage in which the local Gemini gives `reply` to every request that matches it."""
    return _script({"replies": [reply]})


def _script(script: Mapping[str, object]) -> Outage:
    """Return an outage in which the local Gemini follows `script`."""

    @asynccontextmanager
    async def says(site: Site, seconds: float) -> AsyncIterator[None]:
        (await site.place.gemini.post("/script", json=script)).raise_for_status()
        yield
        (await site.place.gemini.delete("/script")).raise_for_status()

    return says


def _killing(part: str) -> Outage:
    """Return an outage that repeatedly kills a function with SIGKILL and restarts it. At the end the function runs."""

    @asynccontextmanager
    async def keep_killing(site: Site, seconds: float) -> AsyncIterator[None]:
        async def kill() -> None:
            await asyncio.to_thread(site.place.cloud.kill, part)
            await asyncio.to_thread(site.place.cloud.start, part)

        async with _going_on(kill, LIFE_S):
            yield

    return keep_killing


@asynccontextmanager
async def _going_on(act: Callable[[], Awaitable[None]], every_s: float) -> AsyncIterator[None]:
    """Run `act` once before the block, and repeatedly while the block runs. At the end, an `act` that has begun is
    finished.
    """
    stop = asyncio.Event()

    async def repeat() -> None:
        while True:
            try:
                await asyncio.wait_for(stop.wait(), every_s)
            except TimeoutError:
                await act()
            else:
                return

    await act()
    async with asyncio.TaskGroup() as group:
        group.create_task(repeat())
        yield
        stop.set()


OUTAGES: Mapping[str, Outage] = {
    "firestore-slow": _slow("firestore"),
    "firestore-stalling": _stalling("firestore"),
    "firestore-refusing": _refusing("firestore"),
    "firestore-silent": _silent("firestore"),
    "tasks-down": _refusing("tasks"),
    "tasks-silent": _silent("tasks"),
    "telegram-down": _refusing("telegram"),
    "telegram-down-at-start": _telegram_down_at_start,
    "telegram-failing": _telegram_failing,
    "telegram-flood": _telegram_flooded,
    "gemini-down": _refusing("gemini"),
    "gemini-over-quota": _gemini_says(OVER_QUOTA),
    "gemini-silent": _silent("gemini"),
    "gemini-no-vectors": _script(NO_VECTORS),
    "storage-slow": _slow("storage"),
    "storage-down": _refusing("storage"),
    "files-storage-slow": _slow("storage"),
    "files-storage-down": _refusing("storage"),
    "files-storage-silent": _silent("storage"),
    "files-gemini-slow": _gemini_says(LATE_DESCRIPTION),
    "files-gemini-failing": _gemini_says(NO_DESCRIPTION),
    "files-telegram-failing": _telegram_failing,
    "files-killed": _killing("describe_media"),
    "notes-gemini-down": _refusing("gemini"),
    "notes-gemini-over-quota": _gemini_says(OVER_QUOTA),
    "notes-gemini-no-vectors": _script(NO_VECTORS),
    "notes-firestore-refusing": _refusing("firestore"),
    "notes-tasks-down": _refusing("tasks"),
    "notes-killed": _killing("summarize"),
    "webhook-killed": _killing("webhook"),
    "tick-killed": _killing("tick"),
}
#: outages that affect only the archive, not messages
OF_THE_ARCHIVE = frozenset({"storage-slow", "storage-down"})
#: outages that affect descriptions of files. In these, people also send files, and the sweep retries missing
#: descriptions
OF_FILES = frozenset(name for name in OUTAGES if name.startswith("files-"))
#: outages that affect notes. In these, conversations rest between two messages, and the sweep starts the notes on them
OF_NOTES = frozenset(name for name in OUTAGES if name.startswith("notes-"))
