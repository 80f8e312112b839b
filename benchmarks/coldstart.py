"""The time from the start of a function's process to its first response with 200, and the memory at that moment. The
functions are measured in turn with an empty function that only imports Firestore's client. Memory is the proportional
set size of a function's processes, so shared pages count once.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

import httpx

from benchmarks.stage import HERE, memory_mib, percentile, private_update, unchecked_part
from benchmarks.town import town
from local.cloud import CloudSpec, LocalCloud
from local.parts import CloudPart

ROUNDS = 15
#: number of people who are answered at the same time before the tick function's memory is measured
AT_ONCE = 20
#: the longest start of the console, beside that of the empty function
CONSOLE_RATIO = 1.5
Ask = Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]


async def measure() -> dict[str, object]:
    """Return median seconds and MiB. Also return the median, minimum and maximum of two ratios: the start times of the
    webhook and of the console, divided by that of the empty function. `unmet` names the console's ratio if it is over
    its limit.
    """
    with LocalCloud(CloudSpec(env={"LULL_LOG_FORMAT": "json"})).running() as cloud:
        for name in ("webhook", "tick", "console"):
            cloud.stop(name)
        asks = _asks(cloud)
        seconds: dict[str, list[float]] = {name: [] for name in asks}
        mib: dict[str, float] = {}
        for number in range(ROUNDS):
            for name, ask in asks.items():
                part = _part(cloud, name, number)
                seconds[name].append(await _first_200(cloud, part, ask))
                mib[name] = memory_mib(cloud, part.name)
                cloud.stop(part.name)
        cloud.start("webhook", "tick")
        mib["tick"] = max(mib["tick"], await _answering(cloud, "tick"))
        mib["webhook"] = max(mib["webhook"], memory_mib(cloud, "webhook"))
    median = {name: percentile(values, 0.5) for name, values in seconds.items()}
    ratios, of_console = _ratios(seconds, "webhook"), _ratios(seconds, "console")
    figures: dict[str, object] = {
        "webhook_s": round(median["webhook"], 3),
        "webhook_floor_s": round(median["empty"], 3),
        "webhook_ratio": round(percentile(ratios, 0.5), 2),
        "webhook_ratio_least": round(min(ratios), 2),
        "webhook_ratio_most": round(max(ratios), 2),
        "webhook_mib": round(mib["webhook"], 1),
        "console_s": round(median["console"], 3),
        "console_ratio": round(percentile(of_console, 0.5), 2),
        "console_ratio_least": round(min(of_console), 2),
        "console_ratio_most": round(max(of_console), 2),
        "console_mib": round(mib["console"], 1),
        "tick_s": round(median["tick"], 3),
        "tick_mib": round(mib["tick"], 1),
        "floor_mib": round(mib["empty"], 1),
    }
    is_met = percentile(of_console, 0.5) <= CONSOLE_RATIO
    return figures if is_met else {**figures, "unmet": ["console_ratio"]}


def _asks(cloud: LocalCloud) -> dict[str, Ask]:
    """Return the first request of each function."""
    secret = {"X-Telegram-Bot-Api-Secret-Token": cloud.webhook_secret}
    return {
        "empty": lambda client: client.get("/"),
        "webhook": lambda client: client.post("/lull", json=private_update(77, "hello"), headers=secret),
        "tick": lambda client: client.post("/", content=_wake()),
        "console": lambda client: client.get(urlsplit(cloud.console_url).path),
    }


def _ratios(seconds: Mapping[str, list[float]], name: str) -> list[float]:
    return [mine / floor for mine, floor in zip(seconds[name], seconds["empty"], strict=True)]


def _wake() -> str:
    key = '{"agent": "lull", "chat_id": 78}'  # a chat without messages: the function starts and answers nobody
    return f'{{"key": {key}, "reason": "now", "at": "2026-01-01T00:00:00Z", "of": "{time.time()}"}}'


def _part(cloud: LocalCloud, name: str, number: int) -> CloudPart:
    folder = HERE / "empty" if name == "empty" else HERE.parent / "functions" / name
    known = cloud.parts["webhook" if name == "empty" else name]
    return unchecked_part(cloud, folder / "main.py", f"{name}-{number}", known.env)


async def _first_200(cloud: LocalCloud, part: CloudPart, ask: Ask) -> float:
    started = time.perf_counter()
    await asyncio.to_thread(cloud.add_part, part)
    async with httpx.AsyncClient(base_url=part.url, timeout=60) as client:
        while True:
            try:
                if (await ask(client)).status_code == 200:
                    return time.perf_counter() - started
            except httpx.TransportError:
                await asyncio.sleep(0.005)


async def _answering(cloud: LocalCloud, name: str) -> float:
    """Return the memory of the function `name` in MiB, after many people were answered at the same time."""
    async with town(cloud) as place:
        people = [await place.person(f"Person {n}") for n in range(AT_ONCE)]
        keys = [await place.private(person) for person in people]
        await asyncio.gather(*(place.write(k, p, "hello") for k, p in zip(keys, people, strict=True)))
        await asyncio.gather(*(place.answers(key, 1) for key in keys))
    return memory_mib(cloud, name)
