"""Reminders: people set 1,000 of them, which become due within a minute and are sent. Meanwhile the tick function is
killed repeatedly.

50 people set 20 reminders each, over the whole path: webhook, plan, Firestore, Cloud Tasks, Bot API. `due` counts the
reminders whose time came, and `sent` those that Telegram received. A reminder is `doubled` if Telegram received it
twice. It is `lost` if its time came, Telegram did not receive it, and it is not in doubt. `in_doubt` counts the
reminders whose delivery a killed tick did not record. A delay ends when Telegram receives the call. A killed tick's
lease lasts a minute; until its end no other tick may work on the chat.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks import census
from benchmarks.stage import percentile
from benchmarks.town import Json, Town, town
from local.cloud import CloudSpec, LocalCloud
from shared.chat.store.paths import EVENTS
from shared.reminders.store import decode_reminder
from shared.values.reminder import OccurrenceState, Reminder

PEOPLE = 50
EACH = 20
#: seconds until the first reminder is due, so that all are set by then; and seconds between two reminders of one person
FIRST_S = 300
APART_S = 3
#: number of kills while reminders are set, and again while they are due; and seconds between two kills
KILLS = 4
KILLS_APART_S = 12.0
LOOK_S = 1.0
MOST_WAIT_S = 900.0


async def measure() -> dict[str, object]:
    """Return counts, from Firestore and from the calls that Telegram received, and delays in seconds."""
    with LocalCloud(CloudSpec()).running() as cloud:
        async with town(cloud) as place, census.firestore_of(cloud) as firestore:
            await _script(place)
            people = [await place.person(f"Person {n}") for n in range(PEOPLE)]
            chats = [(await place.private(person), person) for person in people]
            await asyncio.gather(_kill_ticks(cloud), *(place.write(key, one, "remind me") for key, one in chats))
            await _all_set(firestore)
            due_from = min(one.next_at or datetime.now(UTC) for one in await _read_reminders(firestore))
            await asyncio.sleep(max(0.0, (due_from - datetime.now(UTC)).total_seconds()))
            await _kill_ticks(cloud)
            await _all_over(firestore)
            await place.rest()
            return _figures(await _read_reminders(firestore), await place.calls())


async def _script(place: Town) -> None:
    """Script the model so that it sets reminders for everybody who asks for them."""
    (await place.gemini.delete("/script")).raise_for_status()
    tasks = [
        {"kind": "schedule", "text": f"Reminder {n}", "after": f"{FIRST_S + n * APART_S} seconds"} for n in range(EACH)
    ]
    script = {"replies": [{"tasks": {"tasks": tasks}, "match": ".", "times": None}]}
    (await place.gemini.post("/script", json=script)).raise_for_status()


async def _kill_ticks(cloud: LocalCloud) -> None:
    """Kill the tick function several times, and restart it at once, as the cloud does."""
    for _ in range(KILLS):
        await asyncio.sleep(KILLS_APART_S)
        await asyncio.to_thread(cloud.kill, "tick")
        await asyncio.to_thread(cloud.restart, "tick")


async def _read_reminders(firestore: AsyncClient) -> list[Reminder]:
    found = await firestore.collection(EVENTS).get()
    return [decode_reminder(one.to_dict() or {}) for one in found]


async def _all_set(firestore: AsyncClient) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(FIRST_S):
            while True:
                if len(await _read_reminders(firestore)) >= PEOPLE * EACH:
                    return
                await asyncio.sleep(LOOK_S)


async def _all_over(firestore: AsyncClient) -> None:
    """Wait until all reminders are sent or in doubt, or until a time limit."""
    with suppress(TimeoutError):
        async with asyncio.timeout(MOST_WAIT_S):
            while True:
                if not any(_state(one) in {None, OccurrenceState.DUE} for one in await _read_reminders(firestore)):
                    return
                await asyncio.sleep(LOOK_S)


def _state(reminder: Reminder) -> OccurrenceState | None:
    return reminder.last.state if reminder.last is not None else None


def _figures(kept: list[Reminder], calls: list[Json]) -> dict[str, object]:
    got = _got(calls)
    due = {(one.person, one.text): one.last.due_at.timestamp() for one in kept if one.last is not None}
    doubtful = {(one.person, one.text) for one in kept if _state(one) is OccurrenceState.UNKNOWN}
    late = [min(got[one]) - at for one, at in due.items() if one in got]
    return {
        "set": len(kept),
        "due": len(due),
        "sent": len(got),
        "late_p99_s": round(percentile(late, 0.99), 1),
        "late_p50_s": round(percentile(late, 0.5), 1),
        "doubled": sum(len(times) - 1 for times in got.values()),
        "lost": len(due.keys() - got.keys() - doubtful),
        "in_doubt": len(doubtful),
    }


def _got(calls: list[Json]) -> Mapping[tuple[int, str], list[float]]:
    """Return the times at which Telegram received each reminder, by person and text. Only the first line counts as the
    text, since a late reminder says in another line how late it is.
    """
    got: dict[tuple[int, str], list[float]] = {}
    for call in calls:
        text = str(call["params"].get("text", ""))
        if call["method"] == "sendMessage" and call["ok"] and text.startswith("Reminder "):
            got.setdefault((int(call["params"]["chat_id"]), text.partition("\n")[0]), []).append(call["at"])
    return got
