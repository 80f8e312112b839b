"""The outages: each lets one thing fail for as long as its block lasts, which is told beforehand."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from operator import attrgetter

from benchmarks.outages.relay import Relay
from benchmarks.outages.rim import Rim
from benchmarks.town import Town

#: how much later each call reaches a slow server
SLOW_S = 1.5
#: a repeatedly killed function lives so long after it serves again
LIFE_S = 3.0
#: a stalling server is silent for so long, longer than lull waits for an answer, and then takes what it was sent
STALL_S = 12.0
#: from one stall to the next
STALL_EVERY_S = 18.0
#: a flood's waiting time is brought up to date so often
FLOOD_S = 1.0
#: more calls than any outage can see
ALL = 1_000_000
#: what Gemini says when a quota is used up (ai.google.dev/gemini-api/docs/troubleshooting)
OVER_QUOTA = {"status": 429, "error": "Resource has been exhausted (e.g. check quota).", "match": ".", "times": None}


#: how requests for a description begin (shared/media/description_prompt.py)
ASKED_TO_DESCRIBE = "You describe files"
#: Gemini fails, or takes its time, where it is to describe a file, and nowhere else
NO_DESCRIPTION = {"status": 503, "error": "The model is overloaded.", "match": ASKED_TO_DESCRIBE, "times": None}
LATE_DESCRIPTION = {
    "text": '{"shows": "something that took long to see", "says": ""}',
    "delay_s": 20.0,
    "match": ASKED_TO_DESCRIBE,
    "times": None,
}
#: the model of embeddings is gone, and no other
NO_VECTORS = {"vectors": {"status": 503, "error": "The model is overloaded."}}


@dataclass(frozen=True)
class Site:
    """Where an outage happens: a running cloud's town, and the rim of its functions."""

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
    """Now and then what is sent arrives so late that nobody waits for the answer any more, and has its effect."""
    relay_of: Callable[[Rim], Relay] = attrgetter(server)

    @asynccontextmanager
    async def stalling(site: Site, seconds: float) -> AsyncIterator[None]:
        async def stall() -> None:
            relay_of(site.rim).delay(STALL_S)
            await asyncio.sleep(1)  # whatever comes now holds up all that comes after it on its connection
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
    """Connections stand and new ones are taken, and nothing that is sent arrives; they break when it is over."""
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
    """Telegram refuses while the tick is a new instance, which does not know yet who its bots are."""
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
    """Every call of the bot is told to wait until the flood is over."""
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
    """What Gemini answers to every request that a scripted reply matches."""
    return _scripted({"replies": [reply]})


def _scripted(script: Mapping[str, object]) -> Outage:
    """What is the matter with Gemini, as the local one is told it."""

    @asynccontextmanager
    async def says(site: Site, seconds: float) -> AsyncIterator[None]:
        (await site.place.gemini.post("/script", json=script)).raise_for_status()
        yield
        (await site.place.gemini.delete("/script")).raise_for_status()

    return says


def _killed(part: str) -> Outage:
    """A function is killed with SIGKILL and started again, over and over; at the end it runs."""

    @asynccontextmanager
    async def killed(site: Site, seconds: float) -> AsyncIterator[None]:
        async def kill() -> None:
            await asyncio.to_thread(site.place.cloud.kill, part)
            await asyncio.to_thread(site.place.cloud.start, part)

        async with _going_on(kill, LIFE_S):
            yield

    return killed


@asynccontextmanager
async def _going_on(act: Callable[[], Awaitable[None]], every_s: float) -> AsyncIterator[None]:
    """Do something once before the block, and again and again while it lasts; what is begun is done to its end."""
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
    "gemini-no-vectors": _scripted(NO_VECTORS),
    "storage-slow": _slow("storage"),
    "storage-down": _refusing("storage"),
    "files-storage-slow": _slow("storage"),
    "files-storage-down": _refusing("storage"),
    "files-storage-silent": _silent("storage"),
    "files-gemini-slow": _gemini_says(LATE_DESCRIPTION),
    "files-gemini-failing": _gemini_says(NO_DESCRIPTION),
    "files-telegram-failing": _telegram_failing,
    "files-killed": _killed("describe_media"),
    "notes-gemini-down": _refusing("gemini"),
    "notes-gemini-over-quota": _gemini_says(OVER_QUOTA),
    "notes-gemini-no-vectors": _scripted(NO_VECTORS),
    "notes-firestore-refusing": _refusing("firestore"),
    "notes-tasks-down": _refusing("tasks"),
    "notes-killed": _killed("summarize"),
    "webhook-killed": _killed("webhook"),
    "tick-killed": _killed("tick"),
}
#: those in the way of the archive alone, not of a message
OF_THE_ARCHIVE = frozenset({"storage-slow", "storage-down"})
#: those in the way of files: people send photos too, and the sweep has what was not described looked after
OF_FILES = frozenset(name for name in OUTAGES if name.startswith("files-"))
#: those in the way of notes: conversations rest between two messages, and the sweep has what rests noted
OF_NOTES = frozenset(name for name in OUTAGES if name.startswith("notes-"))
