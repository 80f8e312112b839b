"""Files of every kind on the whole way, each sent in several chats of two agents: is each described once, how soon, and
at what cost? And what a file adds to the answer of whoever sends one.

All is real but the model, which names what it is shown by its bytes: so it is counted there how often each file was
described, and each description that lull keeps is compared with that. Exits with 1 if a file was described twice or
never, or if a chat was not told.
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
from benchmarks.firestore_meter import FirestoreMeter, metered
from benchmarks.known import known_of
from benchmarks.outages.names import names_in, new_name
from benchmarks.outages.naming import WITHOUT_MODEL, naming_model
from benchmarks.outages.nightly import looked_after
from benchmarks.outages.running import running
from benchmarks.stage import percentile, watched_memory
from benchmarks.town import Room, Town, town
from benchmarks.wares import LARGE, SORTS, STICKERS, Ware
from local.cloud import CloudSpec, LocalCloud

#: different files of each sort, and in how many chats each of them is sent
EACH = 3
CHATS_EACH = 3
#: private chats, by turns with the two agents
CHATS = 12
AGENTS = ("lull", "librarian")
#: of describe_media, in MiB
MOST_MIB = 300
#: from one file to the next; each chat gets one every few seconds, so that each is a turn of its own
GAP_S = 0.8
#: pairs of a plain text and a captioned photo
PAIRS = 20
#: pairs of a plain text and a sticker that is known
SEEN = 15
#: what everything may take that does not wait for the sweep
PATIENCE_S = 120.0
LOOK_S = 0.1
DESCRIBING = "describe_media"
SERVERS = (*WITHOUT_MODEL, DESCRIBING, "reader", "storage", "scheduler", "summarize")
#: those that read and write for a chat, whether there is a file or not
OF_A_CHAT = ("webhook", "tick")
#: nobody types here, so that what a file costs does not drown in the quiet time
ENV = {"LULL_QUIET_PRIVATE_S": "0.3", "LULL_LATER_S": "2"}
Figures = dict[str, float]


@dataclass(frozen=True)
class Scene:
    """A running cloud: one meter before the Firestore of webhook and tick, one before that of describe_media."""

    place: Town
    firestore: AsyncClient
    chat_meter: FirestoreMeter
    own_meter: FirestoreMeter

    @property
    def cloud(self) -> LocalCloud:
        """The cloud."""
        return self.place.cloud


@dataclass
class Sent:
    """When each message with a file was sent, by Telegram's id of its chat and its number there; and what was sent."""

    at: dict[tuple[int, int], float] = field(default_factory=dict)
    wares: int = 0


async def measure(each: int = EACH) -> dict[str, object]:
    """Counts, milliseconds and MiB; `unmet` says what was not as it has to be, and stderr which files are concerned."""
    async with _scene() as scene:
        await _warm(scene)
        hold_up = await _hold_up(scene)
        seen = await _seen(scene)
        own = Counter(scene.own_meter.counts)
        calls_before = await _calls(scene.place)
        async with watched_memory(scene.cloud, DESCRIBING) as peak:
            sent = await _shared_out(scene, each)
            await _settled(scene, sent)
        spent = scene.own_meter.counts - own
        calls = await _calls(scene.place) - calls_before
        figures = await _counted(scene, sent, calls)
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
            metered(cloud.firestore_host) as (chat_meter, chat_address),
            metered(cloud.firestore_host) as (own_meter, own_address),
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
    """A text and a file, so that everything has been started."""
    chat = await scene.place.room("Warm")
    await _answered(scene.place, chat)
    await _answered(scene.place, chat, SORTS["photo"].ware(900))
    await scene.place.rest()


async def _hold_up(scene: Scene) -> float:
    """Milliseconds that a captioned photo, new each time, adds to its answer: the median of pairs with plain texts."""
    chat = await scene.place.room("Ann")
    added = []
    for number in range(PAIRS):
        took = {}
        for ware in [None, SORTS["photo"].ware(100 + number)][:: 1 if number % 2 else -1]:
            took[ware is not None] = await _answered(scene.place, chat, ware)
            await scene.place.rest()
        added.append(took[True] - took[False])
    return round(1000 * percentile(added, 0.5), 1)


async def _answered(place: Town, chat: Room, ware: Ware | None = None) -> float:
    """Seconds from a line, captioned so if it comes with a file, to the answer that names it."""
    name = new_name()
    began = time.time()
    if ware is None:
        await place.write(chat.key, chat.id, name)
    else:
        await chat.sends(chat, ware.kind, ware.content, name, names=[ware.name])
    return await _named(place, name) - began


async def _named(place: Town, name: str) -> float:
    """When Telegram got the answer that names a line."""
    seen = 0
    async with asyncio.timeout(PATIENCE_S):
        while True:
            for call in await place.calls(seen):
                seen = call["n"]
                if call["method"] == "sendMessage" and call["ok"] and name in names_in(call["params"]["text"]):
                    return float(call["at"])
            await asyncio.sleep(LOOK_S / 5)


async def _seen(scene: Scene) -> Figures:
    """What a sticker that lull has seen before costs more than a text does, the median; neither is answered."""
    chat = await scene.place.room("Bob")
    sticker = (await chat.stickers())[0]["file_id"]
    await chat.sends_sticker(chat, sticker)
    await scene.place.rest()
    more: dict[str, list[float]] = {"reads": [], "writes": []}
    for _ in range(SEEN):
        text = await _spent(scene, scene.place.write(chat.key, chat.id, "hm"))
        seen = await _spent(scene, chat.sends_sticker(chat, sticker))
        for what, differences in more.items():
            differences.append(seen[what] - text[what])
    return {f"seen_{what}": percentile(differences, 0.5) for what, differences in more.items()}


async def _spent(scene: Scene, act: Awaitable[object]) -> Counter[str]:
    """What all functions read and write until something that was done is dealt with."""
    meters = (scene.chat_meter, scene.own_meter)
    before = sum((meter.counts for meter in meters), Counter[str]())
    await act
    await scene.place.rest()
    return sum((meter.counts for meter in meters), Counter[str]()) - before


async def _shared_out(scene: Scene, each: int) -> Sent:
    """Send every file in several chats, both agents' among them, one after the other: a ware at a time, at a pace."""
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
    """How somebody sends a file: a sticker is put into a set first."""
    if not ware.is_of_set:
        return lambda one: one.sends(one, ware.kind, ware.content, names=[ware.name])
    added = await chat.adds_sticker(ware.content, "🙂", f"Wares{number}_by_nobody")
    return lambda one: one.sends_sticker(one, added["file_id"])


async def _settled(scene: Scene, sent: Sent) -> None:
    """Return once every chat knows of each of its files what came of it, or has waited long enough.

    Only then does the sweep look after what failed for now: on a machine with much to do a time-out may be over.
    """
    if not await _are_told(scene, sent):
        async with looked_after(scene.place):
            await _are_told(scene, sent)


async def _are_told(scene: Scene, sent: Sent) -> bool:
    """Whether every chat knows, and all is at rest, before long."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            while (await known_of(scene.firestore, sent.at)).untold:  # noqa: ASYNC110 - another process knows
                await asyncio.sleep(30 * LOOK_S)  # to look takes this machine's time, too
            await scene.place.rest()
            return True
    return False


async def _counted(scene: Scene, sent: Sent, calls: Counter[str]) -> Figures:
    """Of each file: whether what is kept of it was said by the model, once."""
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
    """Milliseconds from the first sending of a file until it was kept what it shows."""
    known = await known_of(scene.firestore, sent.at)
    took = [1000 * (known.kept_at[name] - min(sent.at[one] for one in known.sent_in(name))) for name in known.kept_at]
    return {"p50_ms": round(percentile(took, 0.5), 1), "p95_ms": round(percentile(took, 0.95), 1)}


async def _calls(place: Town) -> Counter[str]:
    """How often the model said each description."""
    return Counter((await place.gemini.get("/described")).raise_for_status().json())
