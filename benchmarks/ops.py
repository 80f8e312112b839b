"""The cost of one message: Firestore documents that are read and written, tasks, calls to Telegram and to the model,
and processor time.

A meter is between the functions and Firestore. All features of a deployment are on: the agent answers its owner and
admitted people within limits, and its model has a price. The owner created the busy group. There, everything is ten
times as fast as in a group with one message a second whose messages lull reads once a minute. So the figures are those
of such a group, measured in a tenth of the time.
"""

import asyncio
from collections import Counter
from dataclasses import replace

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks import census
from benchmarks.firestore_meter import FirestoreMeter, run_meter
from benchmarks.stage import cpu_seconds
from benchmarks.town import Town, town
from local.cloud import CloudSpec, LocalCloud
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.values.trust import AdmittedPerson
from shared.wiring import now

AGENT = "lull"
MESSAGES = 20
FUNCTIONS = ("webhook", "tick")
GROUP_MESSAGES = 180
FASTER = 10
#: settings as in a deployment, where these differ from a local run, and short waits
SETTINGS = {
    "LULL_OPEN": "no",
    "LULL_LIMITS": "yes",
    "LULL_MODEL": "gemini-3.8-flash",
    "LULL_QUIET_PRIVATE_S": "0.3",
    "LULL_LATER_S": str(60 / FASTER),
}


async def measure() -> dict[str, float]:
    """Return the counts for an answered private message, and for an unanswered message of a busy group."""
    with LocalCloud(CloudSpec(env=SETTINGS)).running() as cloud:
        async with (
            run_meter(cloud.firestore_host) as (meter, address),
            town(cloud) as place,
            census.firestore_of(cloud) as firestore,
        ):
            for name in FUNCTIONS:
                part = cloud.parts[name]
                cloud.parts[name] = replace(part, env={**part.env, "FIRESTORE_EMULATOR_HOST": address})
                await asyncio.to_thread(cloud.restart, name)
            owner, person = [await place.person(name) for name in ("Olga", "Ann")]
            await _let_in(firestore, owner, person)
            private, cpu_ms = await _private(place, meter, person)
            group = await _group(place, meter, owner)
    return {
        **{name: round(count / MESSAGES, 2) for name, count in private.items()},
        **{f"{name}_cpu_ms": round(ms, 1) for name, ms in cpu_ms.items()},
        "group_reads": round(group["reads"] / GROUP_MESSAGES, 2),
        "group_writes": round(group["writes"] / GROUP_MESSAGES, 2),
        "group_tasks": round(group["tasks"] / GROUP_MESSAGES, 2),
    }


async def _let_in(firestore: AsyncClient, owner: int, person: int) -> None:
    """Make `owner` the owner of the agent and admit `person`, before an instance caches the empty access list."""
    await FirestoreOwners(firestore).claim(AGENT, owner, now())
    await FirestoreAccessLists(firestore, now).let_in(AGENT, AdmittedPerson(id=person, since=now(), by=owner))


async def _private(place: Town, meter: FirestoreMeter, person: int) -> tuple[Counter[str], dict[str, float]]:
    """Return the counts for all private messages together, and the processor milliseconds of each function for one
    message.
    """
    key = await place.private(person)
    await place.write(key, person, "a first one, which opens the chat")
    await place.answers(key, 1)
    await place.rest()
    busy = {name: cpu_seconds(place.cloud, name) for name in FUNCTIONS}
    before = await _counts(place, meter)
    for number in range(MESSAGES):
        await place.write(key, person, f"message {number}")
        await place.answers(key, number + 2)
        await place.rest()
    cpu_ms = {name: (cpu_seconds(place.cloud, name) - busy[name]) * 1000 / MESSAGES for name in FUNCTIONS}
    return _since(before, await _counts(place, meter)), cpu_ms


async def _group(place: Town, meter: FirestoreMeter, owner: int) -> Counter[str]:
    people = [owner, *[await place.person(name) for name in ("Ben", "Cem")]]
    key = await place.group(people)
    await place.write(key, people[0], "a first one, which opens the chat")
    await place.rest()
    before = await _counts(place, meter)
    for number in range(GROUP_MESSAGES):
        await place.write(key, people[number % 3], f"we talk about something else, {number}")
        await asyncio.sleep(1 / FASTER)
    await place.rest()
    return _since(before, await _counts(place, meter))


async def _counts(place: Town, meter: FirestoreMeter) -> Counter[str]:
    created = (await place.tasks.get("/dispatches", params={"after": 0})).json()["dispatches"]
    calls = [c for c in await place.calls() if c["method"] not in {"setWebhook", "getMe"}]
    return Counter(
        reads=meter.counts["reads"],
        writes=meter.counts["writes"],
        tasks=len({d["name"] for d in created}),
        telegram_calls=len(calls),
        model_calls=len(await place.exchanges()),
    )


def _since(before: Counter[str], after: Counter[str]) -> Counter[str]:
    return Counter({name: after[name] - before[name] for name in after})
