"""People and chats of the local Telegram, for measures over the whole path."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from local.cloud import LocalCloud
from local.parts import Backend
from tests.stories.attaching import Attaching

Json = dict[str, Any]
LOOK_S = 0.02


@dataclass(frozen=True)
class Room(Attaching):
    """A person's private chat with an agent. As in Telegram, the chat has the same id as the person."""

    key: str
    id: int
    telegram: httpx.AsyncClient


@dataclass(frozen=True)
class Town:
    """The local Telegram, the model and the queue of one cloud."""

    cloud: LocalCloud
    telegram: httpx.AsyncClient
    gemini: httpx.AsyncClient
    tasks: httpx.AsyncClient

    async def person(self, name: str) -> int:
        """Create a person, and return the person's id."""
        return int((await self._post("/world/people", first_name=name))["id"])

    async def private(self, person_id: int) -> str:
        """Create the person's private chat with lull, and return the chat's key."""
        return str((await self._post("/world/chats", type="private", person_id=person_id, bot_id=self.bot_id))["key"])

    async def room(self, name: str, agent: str = "lull") -> Room:
        """Create a person, and the person's private chat with an agent."""
        person, bot = await self.person(name), int(self.cloud.tokens[agent].split(":")[0])
        chat = await self._post("/world/chats", type="private", person_id=person, bot_id=bot)
        return Room(chat["key"], person, self.telegram)

    async def group(self, members: list[int]) -> str:
        """Create a group in which lull receives all messages, and return the group's key."""
        body = {"type": "supergroup", "title": "A busy group", "members": members, "bots": [self.bot_id]}
        return str((await self._post("/world/chats", **body))["key"])

    async def write(self, key: str, person_id: int, text: str) -> None:
        """Have a person write in the chat with this key."""
        await self._post(f"/world/chats/{key}/messages", **{"from": person_id, "text": text})

    async def answers(self, key: str, count: int) -> list[Json]:
        """Wait until the agent has sent this many messages to a chat, and return them."""
        while True:
            found = await self.telegram.get(f"/world/chats/{key}/messages", params={"limit": 1000})
            said = [m for m in found.json()["messages"] if m["from"] == self.bot_id]
            if len(said) >= count:
                return said
            await asyncio.sleep(LOOK_S)

    async def rest(self) -> None:
        """Wait until all updates of all bots are delivered, and no task waits or runs."""
        bots = [int(token.split(":")[0]) for token in self.cloud.tokens.values()]
        while True:
            queues = [(await self.telegram.get(f"/world/bots/{bot}/queue")).json() for bot in bots]
            pending = any(queue["pending"] for queue in queues)
            waiting = (await self.tasks.get("/tasks")).json()["tasks"]
            if not pending and not waiting:
                return
            await asyncio.sleep(LOOK_S)

    async def calls(self, after: int = 0) -> list[Json]:
        """Return the calls that the local Bot API served, from number `after` + 1 on."""
        return list((await self.telegram.get("/world/calls", params={"after": after})).json()["calls"])

    async def exchanges(self) -> list[Json]:
        """Return the requests to the model with its replies."""
        return list((await self.gemini.get("/exchanges")).json()["exchanges"])

    @property
    def bot_id(self) -> int:
        """Return the id of lull's bot."""
        return int(self.cloud.tokens["lull"].split(":")[0])

    async def _post(self, path: str, **body: Any) -> Json:
        response = await self.telegram.post(path, json=body)
        response.raise_for_status()
        return dict(response.json())


@asynccontextmanager
async def town(cloud: LocalCloud) -> AsyncIterator[Town]:
    """Yield the town of a running cloud. If the model is scripted, it answers every message at once with one
    sentence.
    """
    async with (
        httpx.AsyncClient(base_url=cloud.telegram_url, timeout=60) as telegram,
        httpx.AsyncClient(base_url=cloud.model_url, timeout=60) as gemini,
        httpx.AsyncClient(base_url=cloud.tasks_control_url, timeout=60) as tasks,
    ):
        plan = {"tasks": [{"kind": "send", "text": "An answer of a usual length, which is one sentence."}]}
        script = {"replies": [{"text": json.dumps(plan), "match": ".", "times": None}]}
        if cloud.spec.backend is Backend.SCRIPTED:
            (await gemini.post("/script", json=script)).raise_for_status()
        yield Town(cloud, telegram, gemini, tasks)
