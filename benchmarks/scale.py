"""Ten, a hundred and a thousand private chats at the same time. Measures how many messages are lost and doubled, and
the cost of a message.

In each chat, two messages are written half a second apart, and one plan answers both. The chats begin at a steady pace
that this machine can sustain, so that lull is measured and not a queue in front of it. Finally, as many chats as in the
largest size begin at the same moment. This overloads two cores, but even then nothing may be lost. All sizes are
measured in the same cloud, each with new people. A few chats warm the cloud up first.

`machine_percent` is the load of the machine, and `own_percent` the part of this load that the measure causes. Figures
are comparable only if the machine was not fully loaded.

`python -m benchmarks.scale [SIZE…] [--pace CHATS_A_SECOND] [--instances N]` measures other sizes or another pace.
"""

import argparse
import asyncio
import json
import math
import shutil
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks import census
from benchmarks.firestore_meter import FirestoreMeter, run_meter
from benchmarks.outages.names import names_in, new_name
from benchmarks.outages.naming import WITHOUT_MODEL, naming_model
from benchmarks.outages.queue import make_as_deployed
from benchmarks.outages.running import running
from benchmarks.stage import cpu_seconds, percentile
from benchmarks.town import Json, Town, town
from local.cloud import CloudSpec, LocalCloud
from shared.values.incident import IncidentKind

SIZES = (10, 100, 1_000)
WARM_UP = 20
MESSAGES = 2
GAP_S = 0.5
#: number of chats that begin in a second: less than half of what two idle cores can sustain, so that sizes are
#: comparable
PACE = 4.0
#: number of processes of the webhook, and of the tick function; they stand for the instances in the cloud
INSTANCES = 2
#: number of messages that are sent to the local Telegram at the same time
LINES = 50
LOOK_S = 1.0
PROBE_S = 0.2
Figures = dict[str, object]


async def measure(
    sizes: Sequence[int] = SIZES, pace: float = PACE, instances: int = INSTANCES, logs: Path | None = None
) -> Figures:
    """Return the counts of each size, and by how much a message costs more operations in the largest size than in the
    smallest.
    """
    found = []
    async with _scene(instances) as scene:
        await _talk(scene.place, await _open_chats(scene.place, WARM_UP), pace)
        for chats in sizes:
            found.append(await _measure_size(scene, chats, pace))
        at_once = await _measure_size(scene, sizes[-1], math.inf)
        if logs is not None:
            shutil.copytree(scene.place.cloud.folder / "logs", logs, dirs_exist_ok=True)
    ops = [float(str(size["ops_per_message"])) for size in found]
    growth = round(ops[-1] / ops[0], 3)
    return {"pace": pace, "instances": instances, "sizes": found, "growth": growth, "at_once": at_once}


@dataclass(frozen=True)
class Scene:
    """A running cloud with a meter in front of its Firestore, and a client of Firestore that bypasses the meter."""

    place: Town
    meter: FirestoreMeter
    firestore: AsyncClient


@asynccontextmanager
async def _scene(instances: int) -> AsyncIterator[Scene]:
    spec = CloudSpec(parts=WITHOUT_MODEL, env={"WORKERS": str(instances)})  # gunicorn's number of processes
    async with running(spec) as cloud:
        await asyncio.to_thread(cloud.add_part, naming_model(cloud))
        async with (
            run_meter(cloud.firestore_host) as (meter, address),
            town(cloud) as place,
            census.firestore_of(cloud) as firestore,
        ):
            (await place.gemini.delete("/script")).raise_for_status()
            await make_as_deployed(place, instances)
            for name in ("webhook", "tick"):
                part = cloud.parts[name]
                cloud.parts[name] = replace(part, env={**part.env, "FIRESTORE_EMULATOR_HOST": address})
                await asyncio.to_thread(cloud.restart, name)
            yield Scene(place, meter, firestore)


async def _measure_size(scene: Scene, chats: int, pace: float) -> Figures:
    """Return the figures of one size."""
    print(f"  {chats} chats, {pace} a second …", file=sys.stderr, flush=True)
    opened = await _open_chats(scene.place, chats)
    before, busy_before = await _counts(scene), _cpu_seconds(scene.place.cloud)
    psutil.cpu_percent()
    async with _probe_emulator(scene.firestore) as probe_ms:
        written, took = await _talk(scene.place, opened, pace)
    machine = psutil.cpu_percent()
    busy, counts = _cpu_seconds(scene.place.cloud), await _counts(scene)
    spent = Counter({name: counts[name] - before[name] for name in counts})
    sends = await _sends(scene.place, before["telegram_calls"])
    messages = len(written)
    used = {part: busy[part] - busy_before[part] for part in busy}
    figures = {
        "chats": chats,
        "messages": messages,
        **await _compare(scene.firestore, written, sends),
        "per_s": round(messages / took, 2),
        "ops_per_message": round((spent["reads"] + spent["writes"]) / messages, 3),
        "per_message": {name: round(count / messages, 3) for name, count in spent.items()},
        **_delays(written, sends),
        "probe_p50_ms": round(percentile(probe_ms, 0.5), 1),
        "probe_p99_ms": round(percentile(probe_ms, 0.99), 1),
        "machine_percent": machine,
        "own_percent": round(100 * sum(used.values()) / took / (psutil.cpu_count() or 1), 1),
        "cpu_ms_per_message": {part: round(1000 * seconds / messages, 1) for part, seconds in used.items()},
    }
    print(f"  {json.dumps(figures)}", file=sys.stderr, flush=True)
    return figures


@dataclass(frozen=True)
class Chat:
    """A private chat of the local Telegram."""

    key: str
    person: int


async def _open_chats(place: Town, count: int) -> list[Chat]:
    people = [await place.person(f"Person {n}") for n in range(count)]
    return [Chat(await place.private(person), person) for person in people]


async def _talk(place: Town, chats: Sequence[Chat], pace: float) -> tuple[dict[str, float], float]:
    """Have people write in the chats. Return when each message was written, by its name, and the seconds from the first
    message until no work is left.
    """
    written: dict[str, float] = {}
    lines = asyncio.Semaphore(LINES)
    began = time.monotonic()

    async def talk(number: int, chat: Chat) -> None:
        await asyncio.sleep(number / pace)
        for message in range(MESSAGES):
            await asyncio.sleep(GAP_S if message else 0)
            async with lines:
                name = new_name()
                written[name] = time.time()
                await place.write(chat.key, chat.person, name)

    await asyncio.gather(*(talk(number, chat) for number, chat in enumerate(chats)))
    await _settle(place)
    return written, time.monotonic() - began


async def _settle(place: Town) -> None:
    """Wait until no work is left. If many tasks wait, check rarely, since listing them costs processor time too."""
    while True:
        if not (await place.tasks.get("/tasks")).json()["tasks"]:
            await place.rest()
            return
        await asyncio.sleep(LOOK_S)


async def _counts(scene: Scene) -> Counter[str]:
    """Return the counts so far. The local servers forget old calls and exchanges, so the number of the newest one is
    used as their count.
    """
    dispatched = (await scene.place.tasks.get("/dispatches", params={"after": 0})).json()["dispatches"]
    calls, exchanges = await scene.place.calls(), await scene.place.exchanges()
    return Counter(
        reads=scene.meter.counts["reads"],
        writes=scene.meter.counts["writes"],
        tasks=len({dispatch["name"] for dispatch in dispatched}),
        ticks=len(dispatched),
        telegram_calls=calls[-1]["n"] if calls else 0,
        model_calls=exchanges[-1]["n"] if exchanges else 0,
    )


async def _sends(place: Town, after: int) -> list[Json]:
    """Return the calls after number `after` by which the agent sent a message that Telegram accepted."""
    return [c for c in await place.calls() if c["n"] > after and c["method"] == "sendMessage" and c["ok"]]


async def _compare(firestore: AsyncClient, written: Mapping[str, float], sends: Sequence[Json]) -> Figures:
    """Compare: each message must be in the transcripts once, and one answer must name it. `unknown` counts unknown
    deliveries of all sizes so far.
    """
    kept = [text for entries in (await census.transcripts(firestore)).values() for text in census.people_said(entries)]
    stored = census.compare(written, (name for name in kept if name in written))
    answered = census.compare(written, (name for send in sends for name in names_in(send["params"]["text"])))
    return {
        "lost": stored.lost + answered.lost,
        "doubled": stored.doubled + answered.doubled,
        "unknown": (await census.incidents(firestore))[IncidentKind.UNKNOWN_DELIVERY],
        "unwritten": stored.lost,
        "written_twice": stored.doubled,
        "unanswered": answered.lost,
        "answered_twice": answered.doubled,
    }


def _delays(written: Mapping[str, float], sends: Sequence[Json]) -> Figures:
    """Return percentiles of the seconds from a message to the answer that names it."""
    took = [send["at"] - written[name] for send in sends for name in names_in(send["params"]["text"])]
    return {"answer_p50_s": round(percentile(took, 0.5), 2), "answer_p99_s": round(percentile(took, 0.99), 2)}


def _cpu_seconds(cloud: LocalCloud) -> dict[str, float]:
    """Return the core seconds used so far by each part with its children, and by this process, which runs the meter."""
    own = psutil.Process().cpu_times()
    return {part: cpu_seconds(cloud, part) for part in cloud.parts} | {"bench and meter": own.user + own.system}


@asynccontextmanager
async def _probe_emulator(firestore: AsyncClient) -> AsyncIterator[list[float]]:
    """While the block runs, measure the milliseconds that small reads of the emulator take. They bypass the meter, and
    show whether the emulator keeps up.
    """
    took: list[float] = []

    async def probe() -> None:
        while True:
            began = time.perf_counter()
            await firestore.document("probes/none").get()
            took.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(PROBE_S)

    probing = asyncio.create_task(probe())
    try:
        yield took
    finally:
        probing.cancel()
        with suppress(asyncio.CancelledError):
            await probing


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, metavar="SIZE", help="how many chats; several are run in turn")
    parser.add_argument("--pace", type=float, default=PACE, help="chats that begin in a second")
    parser.add_argument("--instances", type=int, default=INSTANCES, help="processes of the webhook and of the tick")
    parser.add_argument("--logs", type=Path, help="a folder to copy what each part said into")
    asked = parser.parse_args()
    figures = asyncio.run(measure(asked.sizes or SIZES, asked.pace, asked.instances, asked.logs))
    print(json.dumps({"bench": "scale", **figures}))


if __name__ == "__main__":
    main()
