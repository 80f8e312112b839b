"""Steady traffic: people of several private chats and of one group write in turn, each line with a name of its own."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.census import Line
from benchmarks.outages.names import new_name
from benchmarks.town import Town

PRIVATE_CHATS = 8
LINES_A_SECOND = 2.0
#: of the group's lines, each so many-th is for the agent
MENTION_EVERY = 2


@dataclass
class Traffic:
    """The chats, and the names that were written to each; `wanted` are those that call for an answer."""

    place: Town
    people: Sequence[int]
    private: Sequence[str]
    group: str
    ids: Mapping[str, int]
    wanted: dict[str, list[str]] = field(default_factory=dict)
    lines: int = 0

    async def run(self, stop: asyncio.Event) -> None:
        """Write until it is time to stop."""
        while not stop.is_set():
            await self.write_next()
            await asyncio.sleep(1 / LINES_A_SECOND)

    async def write_next(self) -> None:
        """Have whose turn it is write a line."""
        number, turn = divmod(self.lines, len(self.private) + 1)
        name = new_name()
        self.lines += 1
        if turn < len(self.private):
            key, person, text = self.private[turn], self.people[turn], name
        else:
            is_meant = number % MENTION_EVERY == 0
            key, person = self.group, self.people[number % len(self.people)]
            text = f"@{self.place.cloud.agents['lull'].front.username} {name}" if is_meant else name
        if text != name or key != self.group:
            self.wanted.setdefault(key, []).append(name)
        await self.place.write(key, person, text)

    async def seen(self, key: str) -> list[Line]:
        """A chat as people see it."""
        found = await self.place.telegram.get(f"/world/chats/{key}/messages", params={"limit": 500})
        messages = found.raise_for_status().json()["messages"]
        return [Line(m["text"] or "", m["from"] == self.place.bot_id) for m in messages if not m["service"]]


async def opened(place: Town) -> Traffic:
    """The traffic of a town in which nobody has written yet."""
    people = [await place.person(f"Person {n}") for n in range(PRIVATE_CHATS)]
    private = [await place.private(person) for person in people]
    group = await place.group(people)
    chats = (await place.telegram.get("/world")).raise_for_status().json()["chats"]
    return Traffic(place, people, private, group, {chat["key"]: int(chat["id"]) for chat in chats})
