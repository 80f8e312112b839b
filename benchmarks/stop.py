"""How long after its webhook a stop request is carried out: in a wait, in the call before one, in a call of the
model, and in a long answer."""

import asyncio
import json
import time
from datetime import UTC, datetime

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.census import firestore_of
from benchmarks.stage import percentile
from benchmarks.town import Town, town
from local.cloud import CloudSpec, LocalCloud
from shared.adapters.firestore import paths
from shared.executing.outcome import is_under_way
from shared.models.chat_key import ChatKey
from shared.tasks.plan import Plan
from shared.wording.words import words_in

TIMES = 10
#: what the agent is in the middle of
PLANS = {
    "wait": ({"kind": "send", "text": "One."}, {"kind": "wait", "seconds": 600}, {"kind": "send", "text": "Two."}),
    "parts": ({"kind": "send", "text": "\n\n".join("word " * 790 for _ in range(40))},),
}
#: seconds that the model thinks
THOUGHT_S = 30.0
#: seconds that Telegram takes for the call before the wait, which the request meets on its way
CALL_S = 0.5
LOOK_S = 0.01
#: what lull says when it has stopped, or found nothing to stop
SAID = {words_in().say("stop.stopped"), words_in().say("stop.nothing")}


async def measure() -> dict[str, float]:
    """Milliseconds until its word that it stopped is in the chat; `after`: what was still sent after that word."""
    took = dict[str, list[float]]()
    after = 0
    with LocalCloud(CloudSpec()).running() as cloud:
        async with town(cloud) as place, firestore_of(cloud) as firestore:
            await place.gemini.delete("/script")
            for state in ("wait", "call", "model", "parts"):
                for _ in range(TIMES):
                    ms, more = await _stopped(place, firestore, state)
                    took.setdefault(state, []).append(ms)
                    after += more
    figures = {f"{state}_p50_ms": round(percentile(values, 0.5)) for state, values in took.items()}
    return {**figures, "max_ms": round(max(max(values) for values in took.values())), "sent_after": after}


async def _stopped(place: Town, firestore: AsyncClient, state: str) -> tuple[float, int]:
    """How long it took to stop one chat, and how many messages came after."""
    person = await place.person("Ann")
    key = await place.private(person)
    plan = {"tasks": list(PLANS.get(state, PLANS["wait"]))}
    delay = THOUGHT_S if state == "model" else 0.0
    reply = {"text": json.dumps(plan), "match": f"chat_id={person} ", "delay_s": delay}
    (await place.gemini.post("/script", json={"replies": [reply]})).raise_for_status()
    if state == "call":
        slow = {"method": "sendMessage", "kind": "slow", "seconds": CALL_S, "chat_id": person}
        (await place.telegram.post("/world/faults", json=slow)).raise_for_status()
    await place.write(key, person, "begin")
    if state == "model":
        await asyncio.sleep(3)  # the quiet time is over, and the tick thinks
    elif state == "call":
        await _leaves(firestore, ChatKey(agent="lull", chat_id=person))
    else:
        await place.answers(key, 1)
    began = time.perf_counter()
    await place.write(key, person, "/stop")
    await _carried_out(place, key)
    ms = (time.perf_counter() - began) * 1000
    said = len(await place.answers(key, 1))
    await asyncio.sleep(1)
    return ms, len(await place.answers(key, 1)) - said


async def _leaves(firestore: AsyncClient, key: ChatKey) -> None:
    """Return once a call to Telegram is on its way."""
    document = firestore.document(paths.plan_path(key))
    while True:
        found = await document.get()
        if found.exists and is_under_way(Plan.model_validate(found.to_dict()), datetime.now(UTC)):
            return
        await asyncio.sleep(LOOK_S)


async def _carried_out(place: Town, key: str) -> None:
    while True:
        if any(m["text"] in SAID for m in await place.answers(key, 0)):
            return
        await asyncio.sleep(LOOK_S)
