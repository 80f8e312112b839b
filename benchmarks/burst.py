"""Bursts: 50 messages in 5 seconds in each of 20 private chats. Counts plans, and lost and doubled messages.

Only a few chats burst at the same time, so that a small machine can keep up. Messages take the whole path.
"""

import asyncio

from benchmarks import census
from benchmarks.town import Town, town
from local.cloud import CloudSpec, LocalCloud

CHATS = 20
MESSAGES = 50
SECONDS = 5.0
#: bursts at the same time
TOGETHER = 2


async def measure() -> dict[str, int]:
    """Return counts, from a comparison of the sent messages with the transcripts."""
    with LocalCloud(CloudSpec()).running() as cloud:
        async with town(cloud) as place:
            people = [await place.person(f"Person {n}") for n in range(CHATS)]
            chats = [(await place.private(person), person) for person in people]
            for start in range(0, CHATS, TOGETHER):
                await asyncio.gather(*(_burst(place, *chat) for chat in chats[start : start + TOGETHER]))
                await place.rest()
            plans = len(await place.exchanges())
            answers = [len(await place.answers(key, 1)) for key, _ in chats]
        found = await _compare(cloud, people)
    return {
        "bursts": CHATS,
        "messages": CHATS * MESSAGES,
        "plans": plans,
        "answers": sum(answers),
        "lost": found.lost,
        "doubled": found.doubled + sum(count - 1 for count in answers),
    }


async def _burst(place: Town, key: str, person: int) -> None:
    for number in range(MESSAGES):
        await place.write(key, person, f"line {number}")
        await asyncio.sleep(SECONDS / MESSAGES)


async def _compare(cloud: LocalCloud, people: list[int]) -> census.Compared:
    """Return how many lines of these people are missing in the transcripts, and how many occur more than once."""
    async with census.firestore_of(cloud) as firestore:
        kept = await census.transcripts(firestore)
    lines = [f"line {number}" for number in range(MESSAGES)]
    each = (census.compare(lines, census.people_said(kept.get(person, ()))) for person in people)
    return sum(each, census.Compared())
