"""The first answer after idle time: no instance of either function runs, and the first message starts both.

Two other times are measured in turn with it: the answer when both functions already run, and the start of the tick
function alone. A part of the tick function's start happens during the webhook's start and the quiet time; nobody waits
for this hidden part.
"""

import asyncio
import time
from dataclasses import dataclass

import httpx

from benchmarks.activator import Activator
from benchmarks.stage import HERE, percentile, private_update
from benchmarks.town import Town, town
from local.cloud import CloudSpec, LocalCloud
from shared.chat.jobs.warm import ONE_IN_S

ROUNDS = 9
FUNCTIONS = HERE.parent / "functions"
#: a request to the tick function for a chat without messages: the function starts, and answers nobody
WAKE = '{"key": {"agent": "lull", "chat_id": 78}, "reason": "now", "at": "2026-01-01T00:00:00Z", "of": "%s"}'


@dataclass(frozen=True)
class Answer:
    """Seconds from the request to the webhook's 200, and to the answer in the chat."""

    taken_s: float
    answered_s: float

    @property
    def after_taken_s(self) -> float:
        """Seconds from the 200 to the answer."""
        return self.answered_s - self.taken_s


async def measure() -> dict[str, float]:
    """Return median seconds, and the hidden share of the tick function's start: the share that a first answer did not
    wait for.
    """
    with LocalCloud(CloudSpec()).running() as cloud:
        webhook, tick = (Activator(cloud, FUNCTIONS / name / "main.py") for name in ("webhook", "tick"))
        async with town(cloud) as place, webhook.serving(), tick.serving():
            for function, name in ((webhook, "webhook"), (tick, "tick")):
                function.env = {**cloud.parts[name].env, "LULL_TICK_URL": tick.url}
                cloud.stop(name)
            rounds = [await _round(place, webhook, tick) for _ in range(ROUNDS)]
    first, warm, starts = zip(*rounds, strict=True)
    waited = _median([f.after_taken_s - w.after_taken_s for f, w, _ in rounds])
    tick_start_s = _median(starts)
    return {
        "first_answer_s": round(_median([a.answered_s for a in first]), 3),
        "warm_answer_s": round(_median([a.answered_s for a in warm]), 3),
        "webhook_start_s": round(_median([f.taken_s - w.taken_s for f, w, _ in rounds]), 3),
        "tick_start_s": round(tick_start_s, 3),
        "hidden_share": round(1 - waited / tick_start_s, 2),
    }


async def _round(place: Town, webhook: Activator, tick: Activator) -> tuple[Answer, Answer, float]:
    """Return the first answer, the next answer, and the seconds of the tick function's start alone."""
    tick.stop()
    began = time.perf_counter()
    async with httpx.AsyncClient(timeout=60) as client:
        (await client.post(tick.url, content=WAKE % time.time())).raise_for_status()
    alone = time.perf_counter() - began
    webhook.stop()
    tick.stop()
    await asyncio.sleep(ONE_IN_S)  # a starting webhook warms the tick function up once in that time
    person = await place.person("Ann")
    key = await place.private(person)
    return await _answer(place, webhook, person, key), await _answer(place, webhook, person, key), alone


async def _answer(place: Town, webhook: Activator, person: int, key: str) -> Answer:
    secret = {"X-Telegram-Bot-Api-Secret-Token": place.cloud.webhook_secret}
    there, called, began = len(await place.answers(key, 0)), len(await place.calls()), time.time()
    async with httpx.AsyncClient(timeout=60, headers=secret) as client:
        (await client.post(f"{webhook.url}/lull", json=private_update(person, "hello"))).raise_for_status()
    taken = time.time()
    await place.answers(key, there + 1)
    sent = next(c for c in (await place.calls())[called:] if c["method"] == "sendMessage")
    return Answer(taken - began, sent["at"] - began)


def _median(values: list[float] | tuple[float, ...]) -> float:
    return percentile(values, 0.5)
