"""Files of every kind take the whole path; each file is sent in several chats with two agents. Measures whether each
file is described exactly once, how soon and at what cost, and by how much a file delays the answer to its sender.

Everything is real except the model. It describes a file by a name that is made from the file's bytes, and counts how
often it described each file. The stored descriptions are compared with these counts. Exits with 1 if a file was
described twice or never, or if a chat was not told about its file.
"""

import asyncio
import itertools
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks import census
from benchmarks.firestore_meter import FirestoreMeter, run_meter
from benchmarks.known import known_of
from benchmarks.outages.names import names_in, new_name
from benchmarks.outages.naming import WITHOUT_MODEL, naming_model
from benchmarks.outages.nightly import looked_after
from benchmarks.outages.running import running
from benchmarks.stage import percentile, watched_memory
from benchmarks.town import Room, Town, town
from benchmarks.wares import LARGE, SORTS, STICKERS, Ware
from local.cloud import CloudSpec, LocalCloud

#: number of different files of each sort, and number of chats in which each file is sent
EACH = 3
CHATS_EACH = 3
#: number of private chats, alternately with the one and the other agent
CHATS = 12
AGENTS = ("lull", "librarian")
#: the memory limit of describe_media in MiB
MOST_MIB = 300
#: seconds between two files. One chat gets a file only every few seconds, so that each file is a separate turn
GAP_S = 0.8
#: number of pairs of a plain text and a photo with a caption
PAIRS = 20
#: number of pairs of a plain text and a sticker that lull already knows
SEEN = 15
#: time limit in seconds for all work that does not wait for the sweep (the regular job that retries)
PATIENCE_S = 120.0
LOOK_S = 0.1
DESCRIBING = "describe_media"
SERVERS = (*WITHOUT_MODEL, DESCRIBING, "reader", "storage", "scheduler", "summarize")
#: functions that read and write for every message, with or without a file
OF_A_CHAT = ("webhook", "tick")
#: settings with a short quiet time, since a longer one would hide the delay that a file causes
ENV = {"LULL_QUIET_PRIVATE_S": "0.3", "LULL_LATER_S": "2"}
Figures = dict[str, float]


@dataclass(frozen=True)
class Scene:
    """A running cloud with two meters in front of Firestore: one for the webhook and the tick function, one for
    describe_media.
    """

    place: Town
    firestore: AsyncClient
    chat_meter: FirestoreMeter
    own_meter: FirestoreMeter

    @property
    def cloud(self) -> LocalCloud:
        """The local cloud."""
        return self.place.cloud


@dataclass
class Sent:
    """The times at which messages with files were sent, by Telegram's id of the chat and the message id; and the
    number of different files.
    """

    at: dict[tuple[int, int], float] = field(default_factory=dict)
    wares: int = 0


async def measure(each: int = EACH) -> dict[str, object]:
    """Return counts, milliseconds and MiB. `unmet` is true if an expectation is violated; the files concerned are
    printed to stderr.
    """
    async with _scene() as scene:
        await _warm(scene)
        hold_up = await _hold_up(scene)
        seen = await _cost_of_known_sticker(scene)
        own = Counter(scene.own_meter.counts)
        calls_before = await _calls(scene.place)
        async with watched_memory(scene.cloud, DESCRIBING) as peak:
            sent = await _shared_out(scene, each)
            await _settle(scene, sent)
        spent = scene.own_meter.counts - own
        calls = await _calls(scene.place) - calls_before
        figures = await _count_files(scene, sent, calls)
        return {
            **figures,
            "hold_up_p50_ms": hold_up,
            **await _delays(scene, sent),
            "peak_mib": round(max(peak), 1),
            "reads": round(spent["reads"] / sent.wares, 2),
            "writes": round(spent["writes"] / sent.wares, 2),
            **seen,
            "unmet": [name for name, is_met in _aims(figures, seen, max(peak)).items() if not is_met],
        }


def _aims(figures: Figures, seen: Figures, peak_mib: float) -> dict[str, bool]:
    return {
        "each file is described once": figures["described_once"] == figures["files"] == figures["calls"],
        "every chat is told of every file": figures["untold"] == 0,
        "a sticker that was seen before costs at most one read": seen["seen_reads"] <= 1,
        f"describe_media takes at most {MOST_MIB} MiB": peak_mib <= MOST_MIB,
    }


@asynccontextmanager
async def _scene() -> AsyncIterator[Scene]:
    async with running(CloudSpec(parts=SERVERS, env=ENV)) as cloud:
        await asyncio.to_thread(cloud.add_part, naming_model(cloud))
        async with (
            run_meter(cloud.firestore_host) as (chat_meter, chat_address),
            run_meter(cloud.firestore_host) as (own_meter, own_address),
            town(cloud) as place,
            census.firestore_of(cloud) as firestore,
        ):
            (await place.gemini.delete("/script")).raise_for_status()
            for name, address in (*((name, chat_address) for name in OF_A_CHAT), (DESCRIBING, own_address)):
                part = cloud.parts[name]
                cloud.parts[name] = replace(part, env={**part.env, "FIRESTORE_EMULATOR_HOST": address})
                await asyncio.to_thread(cloud.restart, name)
            yield Scene(place, firestore, chat_meter, own_meter)


async def _warm(scene: Scene) -> None:
    """Send a text and a file, so that every function is started."""
    chat = await scene.place.room("Warm")
    await _time_answer(scene.place, chat)
    await _time_answer(scene.place, chat, SORTS["photo"].ware(900))
    await scene.place.rest()


async def _hold_up(scene: Scene) -> float:
    """Return how many milliseconds later a new photo with a caption is answered than a plain text: the median over
    several pairs.
    """
    chat = await scene.place.room("Ann")
    added = []
    for number in range(PAIRS):
        took = {}
        for ware in [None, SORTS["photo"].ware(100 + number)][:: 1 if number % 2 else -1]:
            took[ware is not None] = await _time_answer(scene.place, chat, ware)
            await scene.place.rest()
        added.append(took[True] - took[False])
    return round(1000 * percentile(added, 0.5), 1)


async def _time_answer(place: Town, chat: Room, ware: Ware | None = None) -> float:
    """Have somebody write a line, or send `ware` with that line as its caption. Return the seconds until the answer
    that names the line.
    """
    name = new_name()
    began = time.time()
    if ware is None:
        await place.write(chat.key, chat.id, name)
    else:
        await chat.sends(chat, ware.kind, ware.content, name, names=[ware.name])
    return await _time_of_naming(place, name) - began


async def _time_of_naming(place: Town, name: str) -> float:
    """Return when Telegram received the answer that contains `name`, in seconds since 1970."""
    seen = 0
    async with asyncio.timeout(PATIENCE_S):
        while True:
            for call in await place.calls(seen):
                seen = call["n"]
                if call["method"] == "sendMessage" and call["ok"] and name in names_in(call["params"]["text"]):
                    return float(call["at"])
            await asyncio.sleep(LOOK_S / 5)


async def _cost_of_known_sticker(scene: Scene) -> Figures:
    """Return how many more reads and writes a known sticker costs than a text: medians over several pairs. Neither
    message is answered.
    """
    chat = await scene.place.room("Bob")
    sticker = (await chat.stickers())[0]["file_id"]
    await chat.sends_sticker(chat, sticker)
    await scene.place.rest()
    more: dict[str, list[float]] = {"reads": [], "writes": []}
    for _ in range(SEEN):
        text = await _count_operations(scene, scene.place.write(chat.key, chat.id, "hm"))
        seen = await _count_operations(scene, chat.sends_sticker(chat, sticker))
        for what, differences in more.items():
            differences.append(seen[what] - text[what])
    return {f"seen_{what}": percentile(differences, 0.5) for what, differences in more.items()}


async def _count_operations(scene: Scene, act: Awaitable[object]) -> Counter[str]:
    """Run `act`, wait until it is fully processed, and return the reads and writes of all functions meanwhile."""
    meters = (scene.chat_meter, scene.own_meter)
    before = sum((meter.counts for meter in meters), Counter[str]())
    await act
    await scene.place.rest()
    return sum((meter.counts for meter in meters), Counter[str]()) - before


async def _shared_out(scene: Scene, each: int) -> Sent:
    """Send every file in several chats with both agents, one message after the other at a steady pace."""
    chats = [await scene.place.room(f"Person {n}", AGENTS[n % len(AGENTS)]) for n in range(CHATS)]
    turns = itertools.cycle(chats)
    wares = [sort.ware(number) for sort in (*SORTS.values(), *STICKERS.values()) for number in range(each)]
    wares += [sort.ware(0) for sort in LARGE.values()]
    sent = Sent(wares=len(wares))
    for number, ware in enumerate(wares):
        chosen = [next(turns) for _ in range(CHATS_EACH)]
        send = await _sender(chosen[0], ware, number)
        began = time.time()
        ids = await asyncio.gather(*(send(chat) for chat in chosen))
        sent.at |= {(chat.id, message_id): began for chat, message_id in zip(chosen, ids, strict=True)}
        await asyncio.sleep(max(0.0, GAP_S + began - time.time()))
    return sent


async def _sender(chat: Room, ware: Ware, number: int) -> Callable[[Room], Awaitable[int]]:
    """Return a function that sends the file in a given chat. If the file is a sticker of a set, `chat`'s person adds it
    to a set first.
    """
    if not ware.is_of_set:
        return lambda one: one.sends(one, ware.kind, ware.content, names=[ware.name])
    added = await chat.adds_sticker(ware.content, "🙂", f"Wares{number}_by_nobody")
    return lambda one: one.sends_sticker(one, added["file_id"])


async def _settle(scene: Scene, sent: Sent) -> None:
    """Wait until every chat was told a result for each of its files. After a time limit, run the sweep and wait once
    more.

    The sweep retries temporary failures: on a busy machine a request may time out.
    """
    if not await _are_told(scene, sent):
        async with looked_after(scene.place):
            await _are_told(scene, sent)


async def _are_told(scene: Scene, sent: Sent) -> bool:
    """Return whether every chat is told its results, and all work ends, within the time limit."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            while (await known_of(scene.firestore, sent.at)).untold:  # noqa: ASYNC110 - another process knows
                await asyncio.sleep(30 * LOOK_S)  # checking costs processor time too
            await scene.place.rest()
            return True
    return False


async def _count_files(scene: Scene, sent: Sent, calls: Counter[str]) -> Figures:
    """Return figures on whether the model described each file exactly once, and whether that description is stored."""
    known = await known_of(scene.firestore, sent.at)
    once = [name for name in known.files if calls[known.shows(name)] == 1]
    for name in known.files - set(once) | {
        known.refs[place].unique_id for place in known.untold if place in known.refs
    }:
        print(f"  not as it has to be: {known.kept.get(name)}", file=sys.stderr, flush=True)
    return {
        "files": sent.wares,
        "described_once": len(once) if len(known.files) == sent.wares else 0,
        "calls": calls.total(),
        "cache_hits": len(sent.at) - calls.total(),
        "untold": len(known.untold),
    }


async def _delays(scene: Scene, sent: Sent) -> Figures:
    """Return percentiles of the milliseconds from the first sending of a file until its description was stored."""
    known = await known_of(scene.firestore, sent.at)
    took = [1000 * (known.kept_at[name] - min(sent.at[one] for one in known.sent_in(name))) for name in known.kept_at]
    return {"p50_ms": round(percentile(took, 0.5), 1), "p95_ms": round(percentile(took, 0.95), 1)}


async def _calls(place: Town) -> Counter[str]:
    """Return how often the model gave each description."""
    return Counter((await place.gemini.get("/described")).raise_for_status().json())
