"""The webhook function compared with its floor, a bare function that makes the same three backend calls and does
nothing else.

The two functions are called in turn, so that other load of the machine affects both equally. No ticks run meanwhile.
"""

import asyncio
import json
import time

import httpx

from benchmarks.stage import cpu_seconds, percentile, private_update, start_beside, to_webhook
from local.cloud import CloudSpec, LocalCloud

WARM_UP = 30
ROUNDS = 400
AT_ONCE = 16
FLOOD = 600
#: number of chats in a burst
CHATS = 20


async def measure() -> dict[str, float]:
    """Return milliseconds and core milliseconds of single requests to both functions, and the ratio of the two; and how
    many updates the webhook takes in a second if 16 requests are concurrent.
    """
    spec = CloudSpec(parts=("webhook", "cloud_tasks", "firestore"), env={"LULL_LOG_FORMAT": "json"})
    with LocalCloud(spec).running() as cloud:
        floor_url = start_beside(cloud, "floor")
        async with to_webhook(cloud) as lull, to_webhook(cloud, floor_url) as floor:
            for _ in range(WARM_UP):
                await _time_request(lull, "/lull")
                await _time_request(floor, "/")
            lull_ms, floor_ms = [], []
            before = {name: cpu_seconds(cloud, name) for name in ("webhook", "floor")}
            for _ in range(ROUNDS):
                lull_ms.append(await _time_request(lull, "/lull"))
                floor_ms.append(await _time_request(floor, "/"))
            cpu_ms = {name: (cpu_seconds(cloud, name) - before[name]) * 1000 / ROUNDS for name in before}
            per_s = await _per_second(lull, "/lull")
            floor_per_s = await _per_second(floor, "/")
    p50, floor_p50 = percentile(lull_ms, 0.5), percentile(floor_ms, 0.5)
    return {
        "lull_p50_ms": round(p50, 2),
        "lull_p99_ms": round(percentile(lull_ms, 0.99), 2),
        "floor_p50_ms": round(floor_p50, 2),
        "floor_p99_ms": round(percentile(floor_ms, 0.99), 2),
        "ratio_p50": round(p50 / floor_p50, 3),
        "cpu_ms": round(cpu_ms["webhook"], 2),
        "floor_cpu_ms": round(cpu_ms["floor"], 2),
        "per_s": round(per_s, 1),
        "floor_per_s": round(floor_per_s, 1),
    }


_numbers = iter(range(10**9))


async def _time_request(client: httpx.AsyncClient, path: str) -> float:
    body = json.dumps(private_update(2_000_000_000 + next(_numbers) % CHATS, "hello there, how are you?"))
    started = time.perf_counter()
    response = await client.post(path, content=body)
    ms = (time.perf_counter() - started) * 1000
    response.raise_for_status()
    return ms


async def _per_second(client: httpx.AsyncClient, path: str) -> float:
    left = iter(range(FLOOD))

    async def sender() -> None:
        for _ in left:
            await _time_request(client, path)

    started = time.perf_counter()
    await asyncio.gather(*(sender() for _ in range(AT_ONCE)))
    return FLOOD / (time.perf_counter() - started)
