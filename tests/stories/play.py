"""The stage of a story: people and chats of the local Telegram, the model's script, and what came of it.

Waiting here is for something to happen, with a limit that only a broken lull meets; no story measures time.
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
#: each look costs Firestore and Telegram milliseconds, and what is waited for takes half a second
LOOK_S = 0.1
#: above the number of every exchange
NEVER = 10**9
PLAIN = re.compile(r"[A-Za-z0-9 ]+")
_names = itertools.count(1)


async def until(find: Callable[[], Any], what: str) -> Any:
    """The first true result of an async look, repeated. Raises a TimeoutError that says `what` never came."""
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
    """Somebody of the local Telegram."""

    id: int
    name: str


@dataclass
class Model:
    """The scripted model: what it will answer, and what it was asked since a test began."""

    http: httpx.AsyncClient
    #: the number of the last exchange of the tests before, which share the server
    seen: int = 0

    @classmethod
    async def from_now(cls, http: httpx.AsyncClient) -> "Model":
        """Open the server's model: what it was asked before is another test's."""
        answer = await http.get("/exchanges", params={"after": NEVER})
        return cls(http, answer.raise_for_status().json()["last"])

    async def will(self, *replies: Json) -> None:
        """Answer the next requests with these, in order."""
        (await self.http.post("/script", json={"replies": list(replies)})).raise_for_status()

    async def will_plan(self, *tasks: Json, **more: Any) -> None:
        """Answer the next request with a plan."""
        await self.will({"tasks": {"tasks": list(tasks)}, **more})

    async def will_say(self, *texts: str) -> None:
        """Answer the next request with a plan that sends these."""
        await self.will_plan(*({"kind": "send", "text": text} for text in texts))

    async def will_echo(self) -> None:
        """Answer whatever is not scripted by repeating it."""
        (await self.http.post("/script", json={"default": "echo"})).raise_for_status()

    async def go_on(self, hold: str) -> None:
        """Let the streams come to their end that wait for this."""
        (await self.http.delete(f"/script/holds/{hold}")).raise_for_status()

    async def left(self) -> list[Json]:
        """The replies that were not given yet."""
        found: list[Json] = (await self.http.get("/script")).raise_for_status().json()["replies"]
        return found

    async def clear(self) -> None:
        """Forget the script."""
        (await self.http.delete("/script")).raise_for_status()

    async def shown(self, about: str) -> list[list[Json]]:
        """The files of those exchanges: of each its MIME type, its size in bytes, and its SHA-256."""
        asked = [e["request"]["contents"] for e in await self.asked(about)]
        return [[p["inlineData"] for turn in turns for p in turn["parts"] if "inlineData" in p] for turns in asked]

    async def asked(self, about: str) -> list[Json]:
        """The exchanges whose request holds a piece of text."""
        # what it has been asked by all tests is megabytes; how a text is written in JSON differs in its signs alone
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
        """Have somebody write; returns the message's id."""
        body = {"from": person.id, "text": text, **more}
        response = await self.telegram.post(f"/world/chats/{self.key}/messages", json=body)
        response.raise_for_status()
        return int(response.json()["message_id"])

    async def messages(self) -> list[Json]:
        """Every message of the chat."""
        params = {"limit": 500} | ({"topic": -self.topic_id} if self.topic_id else {})
        response = await self.telegram.get(f"/world/chats/{self.key}/messages", params=params)
        return list(response.raise_for_status().json()["messages"])

    async def said(self) -> list[Json]:
        """What the agent has sent so far."""
        return [m for m in await self.messages() if m["from"] == self.bot_id and not m.get("service")]

    async def answers(self, count: int = 1) -> list[str]:
        """The texts of the next `count` messages of the agent's; they are waited for."""

        async def enough() -> list[Json]:
            said = await self.said()
            return said if len(said) >= self.seen + count else []

        said = await until(enough, f"{count} answers")
        new = said[self.seen : self.seen + count]
        self.seen += count
        return [str(m["text"]) for m in new]

    async def catches_up(self) -> None:
        """Mark what the agent has sent so far as read: `answers` waits for what comes after it."""
        self.seen = len(await self.said())

    @property
    def chat_key(self) -> ChatKey:
        """Its key in Firestore."""
        return ChatKey(agent=self.agent, chat_id=self.id, topic_id=self.topic_id)

    async def document(self) -> Json:
        """The chat's document."""
        return (await self.firestore.document(f"chats/{self.chat_key.id}").get()).to_dict() or {}

    async def plan(self) -> Plan:
        """The standing or last plan."""
        found = (await self.firestore.document(f"plans/{self.chat_key.id}").get()).to_dict()
        return Plan.model_validate(found)

    async def inbox(self) -> list[Json]:
        """Every inbox document."""
        return [d.to_dict() or {} async for d in self.firestore.collection(f"chats/{self.chat_key.id}/inbox").stream()]

    async def transcript(self) -> list[Json]:
        """The entries of the current conversation, in order."""
        chat = await self.document()
        pages = self.firestore.collection(f"conversations/{chat['conversation']}/messages").order_by("first_seq")
        return [entry async for page in pages.stream() for entry in (page.to_dict() or {})["entries"]]

    async def spoken(self) -> list[Json]:
        """What was said, of the transcript's entries."""
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
    """Where stories play."""

    cloud: Any
    telegram: httpx.AsyncClient
    model: Model
    firestore: AsyncClient

    async def person(self, name: str, language: str | None = None) -> Person:
        """Somebody new, with the language of their app; names are made unique, so that stories don't meet."""
        full = f"{name}{next(_names)}"
        body = {"first_name": full, "username": f"{full.lower()}_x", "language_code": language}
        found = (await self.telegram.post("/world/people", json=body)).raise_for_status().json()
        return Person(found["id"], full)

    async def bot(self, agent: str) -> Json:
        """An agent's bot."""
        world = (await self.telegram.get("/world")).raise_for_status().json()
        return next(bot for bot in world["bots"] if bot["id"] == self._bot_id(agent))

    async def private(self, person: Person, agent: str = "lull", **more: Any) -> Chat:
        """A private chat with an agent."""
        body = {"type": "private", "person_id": person.id, "bot_id": self._bot_id(agent), **more}
        return await self._chat(body, agent)

    async def group(self, people: Sequence[Person], agent: str = "lull", **more: Any) -> Chat:
        """A group of people with an agent, which reads everything there."""
        members = [person.id for person in people]
        body = {"type": "supergroup", "title": "A group", "members": members, "bots": [self._bot_id(agent)], **more}
        return await self._chat(body, agent)

    async def direct(self, *people: Person, agent: str = "lull") -> list[Chat]:
        """A channel's direct messages, to which an agent answers: of each of the people what they and it write."""
        owner = await self.person("Owner")
        bots = {"bots": [self._bot_id(agent)], "admins": [self._bot_id(agent)]}
        chat = await self.group([owner, *people], agent, direct=True, title="The channel", **bots)
        return [replace(chat, topic_id=-person.id) for person in people]

    async def _chat(self, body: Json, agent: str) -> Chat:
        chat = (await self.telegram.post("/world/chats", json=body)).raise_for_status().json()
        return Chat(chat["key"], chat["id"], self._bot_id(agent), agent, self.telegram, self.firestore)

    def _bot_id(self, agent: str) -> int:
        return int(self.cloud.tokens[agent].partition(":")[0])
