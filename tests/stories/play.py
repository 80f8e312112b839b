"""The stage of a story: people and chats of the local Telegram, the model's script, and the results.

A story waits until something happens, never for a fixed time. Only a bug in lull can make it reach the time limit.
"""

import asyncio
import itertools
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.tasks.plan import Plan
from shared.values.chat_key import ChatKey
from tests.stories.attaching import Attaching

Json = dict[str, Any]
LIMIT_S = 60.0
#: a check costs Firestore and Telegram milliseconds, and most waits take half a second
LOOK_S = 0.1
#: above the number of every exchange
NEVER = 10**9
PLAIN = re.compile(r"[A-Za-z0-9 ]+")
_names = itertools.count(1)


async def until(find: Callable[[], Any], what: str) -> Any:
    """Repeat an async check, and return its first true result. Raises a TimeoutError that names `what` is missing."""
    try:
        async with asyncio.timeout(LIMIT_S):
            while True:
                found = await find()
                if found:
                    return found
                await asyncio.sleep(LOOK_S)
    except TimeoutError as late:
        raise TimeoutError(f"waited {LIMIT_S:.0f} s in vain: {what}") from late


@dataclass(frozen=True)
class Person:
    """A person of the local Telegram."""

    id: int
    name: str


@dataclass
class Model:
    """The scripted model: its next answers, and its requests since the test began."""

    http: httpx.AsyncClient
    #: the number of the last exchange of earlier tests, which use the same server
    seen: int = 0

    @classmethod
    async def from_now(cls, http: httpx.AsyncClient) -> "Model":
        """Open the server's model without the requests of earlier tests."""
        answer = await http.get("/exchanges", params={"after": NEVER})
        return cls(http, answer.raise_for_status().json()["last"])

    async def will(self, *replies: Json) -> None:
        """Answer the next requests with these replies, in order."""
        (await self.http.post("/script", json={"replies": list(replies)})).raise_for_status()

    async def will_plan(self, *tasks: Json, **more: Any) -> None:
        """Answer the next request with a plan."""
        await self.will({"tasks": {"tasks": list(tasks)}, **more})

    async def will_say(self, *texts: str) -> None:
        """Answer the next request with a plan that sends these texts."""
        await self.will_plan(*({"kind": "send", "text": text} for text in texts))

    async def will_echo(self) -> None:
        """Answer all requests that are not scripted by repeating them."""
        (await self.http.post("/script", json={"default": "echo"})).raise_for_status()

    async def go_on(self, hold: str) -> None:
        """Let the streams that wait for this hold end."""
        (await self.http.delete(f"/script/holds/{hold}")).raise_for_status()

    async def left(self) -> list[Json]:
        """List the replies that were not used yet."""
        found: list[Json] = (await self.http.get("/script")).raise_for_status().json()["replies"]
        return found

    async def clear(self) -> None:
        """Forget the script."""
        (await self.http.delete("/script")).raise_for_status()

    async def shown(self, about: str) -> list[list[Json]]:
        """List the files in each exchange about a text, with MIME type, size in bytes, and SHA-256."""
        asked = [e["request"]["contents"] for e in await self.asked(about)]
        return [[p["inlineData"] for turn in turns for p in turn["parts"] if "inlineData" in p] for turns in asked]

    async def asked(self, about: str) -> list[Json]:
        """List the exchanges whose request contains a text."""
        # the requests of all tests are megabytes; a text has the same letters in JSON, and only its signs differ
        plain = max(PLAIN.findall(about), key=len, default="")
        answer = await self.http.get("/exchanges", params={"about": plain, "after": self.seen})
        found = answer.raise_for_status().json()["exchanges"]
        asked = [{**e, "request": json.loads(e["request"])} for e in found]
        return [e for e in asked if about in str(e["request"]["contents"])]


@dataclass
class Chat(Attaching):
    """One chat, from its people's side and from lull's."""

    key: str
    id: int
    bot_id: int
    agent: str
    telegram: httpx.AsyncClient
    firestore: AsyncClient
    seen: int = 0
    #: below 0: it is that topic of a channel's direct messages
    topic_id: int = 0

    async def writes(self, person: Person, text: str, **more: Any) -> int:
        """Write as a person; return the message's id."""
        body = {"from": person.id, "text": text, **more}
        response = await self.telegram.post(f"/world/chats/{self.key}/messages", json=body)
        response.raise_for_status()
        return int(response.json()["message_id"])

    async def messages(self) -> list[Json]:
        """List all messages of the chat."""
        params = {"limit": 500} | ({"topic": -self.topic_id} if self.topic_id else {})
        response = await self.telegram.get(f"/world/chats/{self.key}/messages", params=params)
        return list(response.raise_for_status().json()["messages"])

    async def said(self) -> list[Json]:
        """List the messages that the agent has sent so far."""
        return [m for m in await self.messages() if m["from"] == self.bot_id and not m.get("service")]

    async def answers(self, count: int = 1) -> list[str]:
        """Wait for the agent's next `count` messages, and return their texts."""

        async def enough() -> list[Json]:
            said = await self.said()
            return said if len(said) >= self.seen + count else []

        said = await until(enough, f"{count} answers")
        new = said[self.seen : self.seen + count]
        self.seen += count
        return [str(m["text"]) for m in new]

    async def catches_up(self) -> None:
        """Mark the agent's messages so far as read, so that `answers` waits for later ones."""
        self.seen = len(await self.said())

    @property
    def chat_key(self) -> ChatKey:
        """The chat's key in Firestore."""
        return ChatKey(agent=self.agent, chat_id=self.id, topic_id=self.topic_id)

    async def document(self) -> Json:
        """Read the chat's document."""
        return (await self.firestore.document(f"chats/{self.chat_key.id}").get()).to_dict() or {}

    async def plan(self) -> Plan:
        """Read the standing or last plan."""
        found = (await self.firestore.document(f"plans/{self.chat_key.id}").get()).to_dict()
        return Plan.model_validate(found)

    async def inbox(self) -> list[Json]:
        """List all inbox documents."""
        return [d.to_dict() or {} async for d in self.firestore.collection(f"chats/{self.chat_key.id}/inbox").stream()]

    async def transcript(self) -> list[Json]:
        """List the entries of the current conversation, in order."""
        chat = await self.document()
        pages = self.firestore.collection(f"conversations/{chat['conversation']}/messages").order_by("first_seq")
        return [entry async for page in pages.stream() for entry in (page.to_dict() or {})["entries"]]

    async def spoken(self) -> list[Json]:
        """List the spoken messages among the transcript's entries."""
        return [e for e in await self.transcript() if e["type"] == "message" and not e["is_service"]]

    async def rests(self) -> None:
        """Wait until every update has arrived and is read, and no tick holds the chat."""

        async def is_at_rest() -> bool:
            queues = (await self.telegram.get(f"/world/bots/{self.bot_id}/queue")).raise_for_status().json()
            if queues["pending"]:
                return False
            inbox = await self.inbox()
            if not inbox or not all(d["read"] for d in inbox):
                return False
            chat = await self.document()
            return bool(chat) and chat["lease"] is None

        await until(is_at_rest, "the chat comes to rest")


@dataclass
class Sandbox:
    """The local cloud, Telegram and model with which stories run."""

    cloud: Any
    telegram: httpx.AsyncClient
    model: Model
    firestore: AsyncClient

    async def person(self, name: str, language: str | None = None) -> Person:
        """Make a new person with the language of their app; unique names keep stories apart."""
        full = f"{name}{next(_names)}"
        body = {"first_name": full, "username": f"{full.lower()}_x", "language_code": language}
        found = (await self.telegram.post("/world/people", json=body)).raise_for_status().json()
        return Person(found["id"], full)

    async def bot(self, agent: str) -> Json:
        """Find an agent's bot."""
        world = (await self.telegram.get("/world")).raise_for_status().json()
        return next(bot for bot in world["bots"] if bot["id"] == self._bot_id(agent))

    async def private(self, person: Person, agent: str = "lull", **more: Any) -> Chat:
        """Open a private chat with an agent."""
        body = {"type": "private", "person_id": person.id, "bot_id": self._bot_id(agent), **more}
        return await self._chat(body, agent)

    async def group(self, people: Sequence[Person], agent: str = "lull", **more: Any) -> Chat:
        """Make a group of people with an agent, which can read all messages."""
        members = [person.id for person in people]
        body = {"type": "supergroup", "title": "A group", "members": members, "bots": [self._bot_id(agent)], **more}
        return await self._chat(body, agent)

    async def direct(self, *people: Person, agent: str = "lull") -> list[Chat]:
        """Make a channel whose direct messages an agent answers; return a chat for the messages of each person."""
        owner = await self.person("Owner")
        bots = {"bots": [self._bot_id(agent)], "admins": [self._bot_id(agent)]}
        chat = await self.group([owner, *people], agent, direct=True, title="The channel", **bots)
        return [replace(chat, topic_id=-person.id) for person in people]

    async def _chat(self, body: Json, agent: str) -> Chat:
        chat = (await self.telegram.post("/world/chats", json=body)).raise_for_status().json()
        return Chat(chat["key"], chat["id"], self._bot_id(agent), agent, self.telegram, self.firestore)

    def _bot_id(self, agent: str) -> int:
        return int(self.cloud.tokens[agent].partition(":")[0])
