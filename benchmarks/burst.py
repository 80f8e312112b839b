"""Bursts: 50 messages in 5 seconds in each of 20 private chats. How many plans, and is any message lost or doubled?

A few chats at a time, so that the bursts stay bursts on a small machine; people type through the whole way.
"""

import asyncio
import os

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_query import FieldFilter

from benchmarks.town import Town, town
from local.cloud import CloudSpec, LocalCloud

CHATS = 20
MESSAGES = 50
SECONDS = 5.0
#: bursts that go on at the same time
TOGETHER = 2


async def measure() -> dict[str, int]:
    """Counts, from what was sent and from the transcripts."""
    with LocalCloud(CloudSpec()).running() as cloud:
        async with town(cloud) as place:
            people = [await place.person(f"Person {n}") for n in range(CHATS)]
            chats = [(await place.private(person), person) for person in people]
            for start in range(0, CHATS, TOGETHER):
                await asyncio.gather(*(_burst(place, *chat) for chat in chats[start : start + TOGETHER]))
                await place.rest()
            plans = len(await place.exchanges())
            answers = [len(await place.answers(key, 1)) for key, _ in chats]
        lost, doubled = await _compared(cloud, people)
    return {
        "bursts": CHATS,
        "messages": CHATS * MESSAGES,
        "plans": plans,
        "answers": sum(answers),
        "lost": lost,
        "doubled": doubled + sum(count - 1 for count in answers),
    }


async def _burst(place: Town, key: str, person: int) -> None:
    for number in range(MESSAGES):
        await place.write(key, person, f"line {number}")
        await asyncio.sleep(SECONDS / MESSAGES)


async def _compared(cloud: LocalCloud, people: list[int]) -> tuple[int, int]:
    """How many lines are missing from the transcripts, and how many stand there more than once."""
    os.environ["FIRESTORE_EMULATOR_HOST"] = cloud.firestore_host  # the official client's own setting
    firestore = AsyncClient(project=cloud.project)
    lost = doubled = 0
    for person in people:
        chats = firestore.collection("chats").where(filter=FieldFilter("key.chat_id", "==", person))
        conversation = (await chats.get())[0].get("conversation")
        pages = firestore.collection(f"conversations/{conversation}/messages")
        entries = [e async for page in pages.stream() for e in (page.to_dict() or {})["entries"]]
        texts = [e["text"] for e in entries if e["type"] == "message" and not e["author"]["is_agent"]]
        lost += MESSAGES - len(set(texts))
        doubled += len(texts) - len(set(texts))
    return lost, doubled
