"""A spending limit for all agents. 50 private chats ask for more than the limit allows, while tick functions are
killed.

Every message takes the whole path. The scripted model has the name of a model with a price. The model counts its calls
itself, including calls by killed ticks, whose answers nobody received. `overspent_usd` is the part of all calls' cost
that is above the limit, and `unbooked_usd` the part that is missing in lull's records; both must be 0. The first
answers of the model report no token counts or impossible ones, and a model version without a price; `odd` is the number
of these answers. Before a tick calls the model, it reserves a sum for its chat. `reserved` is the highest total that
was reserved at once, `settled` the final total in the records, and `expired` the part of `settled` that killed ticks
had reserved; all three are in dollars. Reads and writes are per message, whether it was answered or not.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks import census
from benchmarks.firestore_meter import FirestoreMeter, run_meter
from benchmarks.outages.running import running
from benchmarks.town import Json, Town, town
from local.cloud import CloudSpec, LocalCloud
from shared.base.model_call import ModelCall
from shared.chat.store import paths
from shared.spending.store.accounts import decode_account
from shared.spending.store.usage import FirestoreUsages, UsageQuery
from shared.values.budget import UsageRecord
from shared.values.money import Amount, sum_amounts
from shared.values.usage import cost_of

#: the token counts that the first answers report; they are missing or impossible
ODD: Sequence[Json] = (
    {"trafficType": "ON_DEMAND"},
    {"promptTokenCount": None, "candidatesTokenCount": None},
    {"promptTokenCount": "900", "candidatesTokenCount": "12"},
    {"promptTokenCount": 900, "candidatesTokenCount": 12, "cachedContentTokenCount": 5_000_000},
    {"promptTokenCount": -900, "candidatesTokenCount": -(10**9)},
    {"promptTokenCount": 10**24, "candidatesTokenCount": 12.5},
)
ODD_VERSION = "gemini-next-preview"
ANSWER = "An answer of a usual length, which is one sentence."
PARTS = ("telegram", "webhook", "cloud_tasks", "tick", "firestore", "model")
FUNCTIONS = ("webhook", "tick")
CHATS = 50
MESSAGES = 3
APART_S = 15.0
#: the limit in dollars a day. A usual call costs about a fiftieth of the limit. A call with an odd answer is charged
#: the most that a call can cost, about a twelfth of the limit
LIMIT_USD = 0.24
SETTINGS: Mapping[str, str] = {
    "LULL_LIMITS": "yes",
    "LULL_MODEL": "gemini-3.8-flash",
    "LULL_DAY_USD": str(LIMIT_USD),
    "LULL_MONTH_USD": "5",
    "LULL_EARLY_TITLES": "no",
}
#: seconds that the model takes for a call, during which a tick may be killed; and the number of kills
ANSWER_S = 2.0
KILLS = 3
FIRST_KILL_S = 5.0
KILLS_APART_S = 15.0
LOOK_S = 0.5
#: seconds to wait for work to end: a killed tick's lease lasts a minute, and only after that its chat is checked again
PATIENCE_S = 150.0
TOKEN_BYTES = 4
#: prefix of an entry that records that a person was told about the cheaper model
SOFT = "~"


@dataclass
class Lending:
    """The highest total that was reserved for chats at once, as far as observed: the total is read regularly."""

    firestore: AsyncClient
    most: Amount = field(default_factory=Amount)

    async def watch(self) -> None:
        """Read the total regularly until cancelled."""
        while True:
            found = decode_account((await self.firestore.document(paths.budget_path(0)).get()).to_dict())
            self.most = self.most.at_least(sum_amounts(one.amount for one in found.lent.values()))
            await asyncio.sleep(LOOK_S)


async def measure() -> dict[str, object]:
    """Return counts and dollars. `unmet` is true if spending is above the limit, or if spending is missing in the
    records.
    """
    async with (
        running(CloudSpec(parts=PARTS, env=SETTINGS)) as cloud,
        run_meter(cloud.firestore_host) as (meter, address),
        town(cloud) as place,
        census.firestore_of(cloud) as firestore,
    ):
        await _script(place)
        await _through(cloud, address)
        lending = Lending(firestore)
        watching = asyncio.create_task(lending.watch())
        chats = await _talk(place)
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        found = figures(await place.exchanges(), await books_of(firestore), lending.most, meter)
        return {**found, "chats_at_limit": await _at_limit(firestore), **await _count_answers(place, chats)}


async def _script(place: Town) -> None:
    (await place.gemini.delete("/script")).raise_for_status()
    plan = {"tasks": [{"kind": "send", "text": ANSWER}]}
    odd = [
        {
            "candidates": [{"content": {"parts": [{"text": json.dumps(plan)}]}, "finishReason": "STOP"}],
            "usageMetadata": usage,
            "modelVersion": ODD_VERSION,
        }
        for usage in ODD
    ]
    usual = {"text": json.dumps(plan), "match": ".", "times": None, "delay_s": ANSWER_S}
    script = {"replies": [*({"body": json.dumps(one), "match": "."} for one in odd), usual]}
    (await place.gemini.post("/script", json=script)).raise_for_status()


async def _through(cloud: LocalCloud, address: str) -> None:
    """Connect the functions to Firestore through the meter."""
    for name in FUNCTIONS:
        part = cloud.parts[name]
        cloud.parts[name] = replace(part, env={**part.env, "FIRESTORE_EMULATOR_HOST": address})
        await asyncio.to_thread(cloud.restart, name)


async def _talk(place: Town) -> Sequence[str]:
    """Have people write in their private chats, and return the chats."""
    people = [await place.person(f"Person {number}") for number in range(CHATS)]
    chats = [(await place.private(person), person) for person in people]

    async def write() -> None:
        for number in range(MESSAGES):
            await asyncio.gather(*(place.write(key, person, f"message {number}") for key, person in chats))
            await asyncio.sleep(APART_S)

    await asyncio.gather(write(), _kill_ticks(place.cloud))
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            await place.rest()
    return [key for key, _ in chats]


async def _kill_ticks(cloud: LocalCloud) -> None:
    """Kill the tick function several times, and restart it at once, as the cloud does."""
    for number in range(KILLS):
        await asyncio.sleep(KILLS_APART_S if number else FIRST_KILL_S)
        await asyncio.to_thread(cloud.kill, "tick")
        await asyncio.to_thread(cloud.restart, "tick")


async def _at_limit(firestore: AsyncClient) -> int:
    """Return how many chats were told about the limit."""
    budgets = [(one.to_dict() or {}).get("purse", {}) for one in await firestore.collection(paths.CHATS).get()]
    return sum(any(not person.startswith(SOFT) for person in budget.get("told", {})) for budget in budgets)


async def _count_answers(place: Town, chats: Iterable[str]) -> Mapping[str, int]:
    """Return how many chats got the model's answer, how many got another text, and how many got nothing."""
    said = [{str(one["text"]) for one in await place.answers(key, 0)} for key in chats]
    return {
        "chats_answered": sum(ANSWER in texts for texts in said),
        "chats_told": sum(bool(texts - {ANSWER}) for texts in said),
        "chats_silent": sum(not texts for texts in said),
    }


async def books_of(firestore: AsyncClient, agent: str = "", chats: tuple[str, ...] = ()) -> list[UsageRecord]:
    """Return the recorded usage of all leases, both ended and open, of the months of the last hour.

    A lease that ends meanwhile may be there twice.
    """
    usages, now = FirestoreUsages(firestore), datetime.now(UTC)
    months = {f"{at:%Y-%m}" for at in (now, now - timedelta(hours=1))}
    queries = [UsageQuery(agent=agent, month=month, chats=chats) for month in months]
    return [one for query in queries for one in (*await usages.of(query), *await usages.open(query))]


def figures(
    exchanges: Sequence[Json], books: Iterable[UsageRecord], lent: Amount, meter: FirestoreMeter
) -> dict[str, Any]:
    """Return the cost of the model's calls compared with the limit and the records."""
    calls = [call_of(one) for one in exchanges]
    asked = sum(cost_of([call], datetime.now(UTC)) or 0.0 for call in calls)
    kept = {one.id: one for one in books}.values()
    settled, expired = (sum_amounts(amounts) for amounts in ([u.used for u in kept], [u.expired for u in kept]))
    overspent, unbooked = (round(max(0.0, asked - most), 6) for most in (LIMIT_USD, settled.usd))
    return {
        "calls": len(calls),
        "cut_off": sum(not one["usage"] for one in exchanges),
        "odd": sum(one["usage"] in ODD for one in exchanges),
        "reserved": round(lent.usd, 4),
        "settled": round(settled.usd, 4),
        "expired": round(expired.usd, 4),
        "asked_usd": round(asked, 4),
        "limit_usd": LIMIT_USD,
        "overspent_usd": overspent,
        "unbooked_usd": unbooked,
        "reads": round(meter.counts["reads"] / (CHATS * MESSAGES), 2),
        "writes": round(meter.counts["writes"] / (CHATS * MESSAGES), 2),
        "unmet": bool(overspent or unbooked),
    }


def call_of(exchange: Json) -> ModelCall:
    """Return the tokens that the model counted. For an aborted call, or if the counts are odd, estimate them from the
    request.
    """
    usage = {} if exchange["usage"] in ODD else exchange["usage"]
    return ModelCall(
        model=exchange["model"],
        prompt_tokens=usage.get("promptTokenCount", len(exchange["request"].encode()) // TOKEN_BYTES),
        output_tokens=usage.get("candidatesTokenCount", 0),
    )
