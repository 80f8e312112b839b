"""The effect of a flood in one chat on other chats: one person writes 1,000 messages a minute, and 50 quiet people
write occasionally.

Rounds without and with the flood alternate; the quiet people write equally in both. The local cloud has two instances
of the webhook and two of the tick function, and its queue is configured as deployed. Everything runs on one machine,
including the local Telegram. So the flood takes processor time from the quiet people that, in the cloud, other
instances would provide. `machine_percent` is the load of the machine without and with the flood, including other
programs. `cores` is the number of cores that each part used; it shows the share of the flood.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import psutil

from benchmarks.outages.names import names_in, new_name
from benchmarks.outages.naming import WITHOUT_MODEL, naming_model
from benchmarks.outages.queue import make_as_deployed
from benchmarks.outages.running import running
from benchmarks.stage import cpu_seconds, percentile
from benchmarks.town import Town, town
from local.cloud import CloudSpec

QUIET = 50
FLOOD_A_MINUTE = 1_000
#: number of rounds without the flood, and as many with it; messages of each quiet chat in a round; and the seconds
#: between two of these
ROUNDS = 2
MESSAGES = 2
SPAN_S = 20.0
#: seconds from the start of the flood until the quiet people write
AHEAD_S = 5.0
#: number of processes of the webhook, and of the tick function; they stand for the instances in the cloud
INSTANCES = 2
LOOK_S = 0.5
PATIENCE_S = 300.0


@dataclass(frozen=True)
class Chat:
    """A private chat of the local Telegram."""

    key: str
    person: int


@dataclass
class Heard:
    """The seconds from each message of a quiet person to the answer that names the message, and the load of the
    machine.
    """

    seconds: list[float] = field(default_factory=list)
    machine: list[float] = field(default_factory=list)
    #: the core seconds that each part used; and `lasted_s`, the elapsed seconds
    busy: Counter[str] = field(default_factory=Counter)
    lasted_s: float = 0.0
    unanswered: int = 0


async def measure() -> dict[str, object]:
    """Return the seconds until quiet people are answered, and the flood's messages a minute."""
    async with _scene() as place:
        quiet = [await _open_chat(place, f"Quiet {n}") for n in range(QUIET)]
        loud = await _open_chat(place, "Loud")
        await _talk(place, quiet[:10], Heard())  # warms it up
        alone, beside, sent, seconds = Heard(), Heard(), 0, 0.0
        for _ in range(ROUNDS):
            await _talk(place, quiet, alone)
            began = time.monotonic()
            async with _flood(place, loud) as flood:
                await asyncio.sleep(AHEAD_S)
                await _talk(place, quiet, beside)
            seconds += time.monotonic() - began
            sent += len(flood)
            await place.rest()
    return {
        "quiet": len(alone.seconds),
        "flood_a_minute": round(60 * sent / seconds),
        **_figures(alone, "alone"),
        **_figures(beside, "beside_flood"),
        "ratio": round(percentile(beside.seconds, 0.99) / percentile(alone.seconds, 0.99), 2),
        "ratio_p50": round(percentile(beside.seconds, 0.5) / percentile(alone.seconds, 0.5), 2),
    }


def _figures(heard: Heard, name: str) -> dict[str, object]:
    return {
        f"quiet_p50_s_{name}": round(percentile(heard.seconds, 0.5), 2),
        f"quiet_p99_s_{name}": round(percentile(heard.seconds, 0.99), 2),
        f"unanswered_{name}": heard.unanswered,
        f"machine_percent_{name}": round(sum(heard.machine) / len(heard.machine)),
        f"cores_{name}": {part: round(used / heard.lasted_s, 2) for part, used in heard.busy.items()},
    }


@asynccontextmanager
async def _scene() -> AsyncIterator[Town]:
    # WORKERS is gunicorn's number of processes. Early titles are off, since the function that makes titles does not run
    # here
    spec = CloudSpec(parts=WITHOUT_MODEL, env={"WORKERS": str(INSTANCES), "LULL_EARLY_TITLES": "no"})
    async with running(spec) as cloud:
        await asyncio.to_thread(cloud.add_part, naming_model(cloud))
        async with town(cloud) as place:
            (await place.gemini.delete("/script")).raise_for_status()
            await make_as_deployed(place, INSTANCES)
            yield place


async def _open_chat(place: Town, name: str) -> Chat:
    person = await place.person(name)
    return Chat(await place.private(person), person)


async def _talk(place: Town, chats: Sequence[Chat], heard: Heard) -> None:
    """Have somebody write in each chat, spread over the round's time, and record in `heard` when they are answered."""
    written: dict[str, float] = {}
    calls = await place.calls()
    after = calls[-1]["n"] if calls else 0
    psutil.cpu_percent()
    began, before = time.monotonic(), _busy(place)

    async def talk(number: int, chat: Chat) -> None:
        await asyncio.sleep(SPAN_S * number / len(chats))
        for _ in range(MESSAGES):
            name = new_name()
            written[name] = time.time()
            await place.write(chat.key, chat.person, name)
            await asyncio.sleep(SPAN_S)

    await asyncio.gather(*(talk(number, chat) for number, chat in enumerate(chats)))
    answered = await _answer_times(place, after, written.keys())
    heard.machine.append(psutil.cpu_percent())
    heard.busy.update(_busy(place) - before)
    heard.lasted_s += time.monotonic() - began
    heard.seconds += [at - written[name] for name, at in answered.items()]
    heard.unanswered += len(written) - len(answered)


def _busy(place: Town) -> Counter[str]:
    """Return the core seconds that each part has used so far."""
    return Counter({part: cpu_seconds(place.cloud, part) for part in place.cloud.parts})


async def _answer_times(place: Town, after: int, names: Iterable[str]) -> dict[str, float]:
    """Return the time at which the agent first said each name, as far as that happens in time."""
    until = time.monotonic() + PATIENCE_S
    found: dict[str, float] = {}
    wanted = set(names)
    while wanted - found.keys() and time.monotonic() < until:
        for call in await place.calls(after):
            after = max(after, call["n"])
            if call["method"] == "sendMessage" and call["ok"]:
                said = (name for name in names_in(call["params"]["text"]) if name in wanted)
                found = {name: call["at"] for name in said} | found
        await asyncio.sleep(LOOK_S)
    return found


@asynccontextmanager
async def _flood(place: Town, chat: Chat) -> AsyncIterator[list[float]]:
    """Have one person write at a fixed rate while the block runs; yield the times of the messages."""
    sent: list[float] = []

    async def write() -> None:
        began = time.monotonic()
        while True:
            await place.write(chat.key, chat.person, f"and another thing, {len(sent)}")
            sent.append(time.monotonic())
            await asyncio.sleep(max(0.0, began + len(sent) * 60 / FLOOD_A_MINUTE - time.monotonic()))

    writing = asyncio.create_task(write())
    try:
        yield sent
    finally:
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing
