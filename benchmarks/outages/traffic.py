"""Steady traffic: people in several private chats and in one group write in turn. Each line contains a unique name.

If files are sent as well, some lines are captions.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.census import Line
from benchmarks.outages.names import new_name
from benchmarks.town import Room, Town
from benchmarks.wares import SORTS

PRIVATE_CHATS = 8
LINES_A_SECOND = 2.0
#: one in this many lines of the group is addressed to the agent
MENTION_EVERY = 2
#: if files are sent, one in this many lines of the private chats is the caption of a file; two such lines in a row have
#: the same file
FILE_EVERY = 2
FILES = (SORTS["photo"], SORTS["photo"], SORTS["voice"])


@dataclass
class Traffic:
    """The chats, and the names that people wrote. `wanted` are the names that need an answer, by chat.

    `files` are messages with a file, each by Telegram's id of the chat and the message id. With `has_notes`, notes must
    cover all names in `written`.
    """

    place: Town
    people: Sequence[int]
    private: Sequence[str]
    group: str
    ids: Mapping[str, int]
    wanted: dict[str, list[str]] = field(default_factory=dict)
    has_files: bool = False
    has_notes: bool = False
    written: list[str] = field(default_factory=list)
    files: list[tuple[int, int]] = field(default_factory=list)
    lines: int = 0

    async def run(self, stop: asyncio.Event) -> None:
        """Write until `stop` is set."""
        while not stop.is_set():
            await self.write_next()
            await asyncio.sleep(1 / LINES_A_SECOND)

    async def write_next(self) -> None:
        """Have the next person write a line."""
        number, turn = divmod(self.lines, len(self.private) + 1)
        name = new_name()
        self.lines += 1
        self.written.append(name)
        if turn < len(self.private):
            key, person, text = self.private[turn], self.people[turn], name
        else:
            is_meant = number % MENTION_EVERY == 0
            key, person = self.group, self.people[number % len(self.people)]
            text = f"@{self.place.cloud.agents['lull'].front.username} {name}" if is_meant else name
        if text != name or key != self.group:
            self.wanted.setdefault(key, []).append(name)
        if self.has_files and key != self.group and self.lines % FILE_EVERY == 0:
            await self._show(Room(key, person, self.place.telegram), text)
        else:
            await self.place.write(key, person, text)

    async def _show(self, room: Room, caption: str) -> None:
        number = self.lines // (2 * FILE_EVERY)
        ware = FILES[number % len(FILES)].ware(number)
        sent = await room.sends(room, ware.kind, ware.content, caption, names=[ware.name])
        self.files.append((self.ids[room.key], sent))

    async def lines_seen(self, key: str) -> list[Line]:
        """Return a chat's messages as people see them."""
        found = await self.place.telegram.get(f"/world/chats/{key}/messages", params={"limit": 500})
        messages = found.raise_for_status().json()["messages"]
        return [
            Line(m["text"] or m["caption"] or "", m["from"] == self.place.bot_id) for m in messages if not m["service"]
        ]


async def open_traffic(place: Town) -> Traffic:
    """Create people and chats in the town, and return the traffic, which has not begun yet."""
    people = [await place.person(f"Person {n}") for n in range(PRIVATE_CHATS)]
    private = [await place.private(person) for person in people]
    group = await place.group(people)
    chats = (await place.telegram.get("/world")).raise_for_status().json()["chats"]
    return Traffic(place, people, private, group, {chat["key"]: int(chat["id"]) for chat in chats})
