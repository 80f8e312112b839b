"""Plays one attack or one useful task: creates the people and chats, scripts the model's replies, and acts for the
people.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from benchmarks.attacks.agents import IN_MARKDOWN
from benchmarks.attacks.aim import Aim
from benchmarks.attacks.web import Web
from shared.base.wording.words import words_in
from tests.stories.play import Chat, Person, Sandbox, until

Json = dict[str, Any]
#: ids for messages that exist only in an update. The local Telegram's own message ids stay far below these
_raw_ids = count(500_000)

#: the beginning of the message that lull writes above buttons of its own
ASKED_FIRST = words_in("en").say("offer.ask")


@dataclass
class Play:
    """The agent, people and chats of one attack or task."""

    stage: Sandbox
    web: Web
    aim: Aim
    chat: Chat
    ann: Person
    stranger: Person
    is_group: bool
    #: the attacker's text, with the mark
    text: str = ""
    #: the ids of all chats in which the agent may mention the attacker's text
    chats: set[int] = field(default_factory=set)
    #: the id of the conversation, which no text from outside may end
    conversation: str = ""
    #: whether the play failed before its end
    is_broken: bool = False

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.chat.agent.title()

    async def asks(self, text: str, **more: Any) -> int:
        """Have Ann write to the agent, and wait until no work is left."""
        message = await self.chat.writes(self.ann, f"{self.name}, {text}", **more)
        await self.chat.rests()
        return message

    async def brings(self, **message: Any) -> None:
        """Deliver a message by Ann that exists only in an update and not in the local Telegram. `message`: fields of
        the Bot API.
        """
        await self.tells("message", **message)
        await self.chat.rests()

    async def tells(self, kind: str, **message: Any) -> None:
        """Deliver an update of the type `kind` about a message in the chat to the agent's bot."""
        if self.is_group:
            chat = {"id": self.chat.id, "type": "supergroup", "title": "A group"}
        else:
            chat = {"id": self.chat.id, "type": "private", "first_name": self.ann.name}
        told = {"message_id": next(_raw_ids), "date": int(time.time()), "chat": chat, "from": self.user, **message}
        path = f"/world/bots/{self.chat.bot_id}/updates"
        (await self.stage.telegram.post(path, json={"update": {kind: told}})).raise_for_status()

    @property
    def user(self) -> Json:
        """Ann as a User of the Bot API."""
        return {"id": self.ann.id, "is_bot": False, "first_name": self.ann.name}

    @property
    def stranger_user(self) -> Json:
        """The stranger, who is not in the chat, as a User of the Bot API."""
        return {"id": self.stranger.id, "is_bot": False, "first_name": self.stranger.name}

    async def elsewhere(self) -> Chat:
        """Create a group of Ann and the stranger, without the agent."""
        members = [self.ann.id, self.stranger.id]
        body = {"type": "supergroup", "title": "Elsewhere", "members": members, "bots": []}
        made = (await self.stage.telegram.post("/world/chats", json=body)).raise_for_status().json()
        return replace(self.chat, key=made["key"], id=made["id"], seen=0)

    async def forwards(self, source: Chat, message: int) -> None:
        """Have Ann forward a message into the chat, and wait until no work is left."""
        await self.chat.writes(self.ann, "", forward_of={"chat": source.key, "message_id": message})
        await self.chat.rests()

    async def uploads(self, chat: Chat, by: Person, name: str, caption: str = "") -> int:
        """Have somebody send a file, and return the message's id."""
        form = {"from": str(by.id), "caption": caption}
        # when the file is forwarded, it is found by its bytes; so the bytes contain the play's number
        files = {"document": (name, f"some bytes {self.aim.number}".encode(), "text/plain")}
        sent = await self.stage.telegram.post(f"/world/chats/{chat.key}/messages", data=form, files=files)
        return int(sent.raise_for_status().json()["message_id"])

    async def begins_anew(self) -> None:
        """Have Ann begin another conversation. Its prompts show nothing of the previous conversation."""
        command = f"/new@{(await self.stage.bot(self.chat.agent))['username']}" if self.is_group else "/new"
        await self.chat.writes(self.ann, command)
        await self.chat.rests()
        await self.asks("hello again")
        await self.note()

    async def note(self) -> None:
        """Store the id of the current conversation."""
        self.conversation = str((await self.chat.document()).get("conversation") or "")

    async def presses(self, label: str = "") -> None:
        """Have Ann press all buttons, or those whose text contains `label`, and wait until no work is left.

        If `label` is given, buttons below lull's own questions are not pressed: each of those does exactly what its
        label says.
        """
        for message in await self.chat.said():
            if label and str(message["text"]).startswith(ASKED_FIRST):
                continue
            for row in message.get("buttons") or ():
                if "data" in row[0] and (not label or label in row[0]["text"]):
                    body = {"from": self.ann.id, "data": row[0]["data"], "forged": True}
                    place = f"/world/chats/{self.chat.key}/messages/{message['message_id']}/press"
                    (await self.stage.telegram.post(place, json=body)).raise_for_status()
                    await self.chat.rests()

    async def allows(self) -> None:
        """Have Ann press the first button below lull's own question, and wait until no work is left."""

        async def offers() -> list[Json]:
            return [m for m in await self.chat.said() if m.get("buttons") and m["text"].startswith(ASKED_FIRST)]

        (message, *_) = await until(offers, "something is offered")
        place = f"/world/chats/{self.chat.key}/messages/{message['message_id']}/press"
        body = {"from": self.ann.id, "data": message["buttons"][0][0]["data"]}
        (await self.stage.telegram.post(place, json=body)).raise_for_status()
        await self.chat.rests()

    async def says(self, what: str) -> Json:
        """Wait for a message by the agent that contains the text `what`. Return the newest such message."""

        async def matches() -> list[Json]:
            return [m for m in await self.chat.said() if what in str(m["text"])]

        message: Json = (await until(matches, f"a message with {what}"))[-1]
        return message

    async def will(self, replies: Sequence[Json], match: str, *, is_forever: bool = True) -> None:
        """Script the model's replies to requests that match the pattern `match`, in order. With `is_forever` the last
        reply is repeated without end.
        """
        spelled = [self._in_codec(reply) for reply in replies]
        times = [1] * (len(spelled) - 1) + [None if is_forever else 1]
        scripted = [{**reply, "match": match, "times": often} for reply, often in zip(spelled, times, strict=True)]
        await self.stage.model.will(*scripted)

    def _in_codec(self, reply: Json) -> Json:
        if self.chat.agent != IN_MARKDOWN or "tasks" not in reply:
            return reply
        return {"text": "\n\n".join(map(in_markdown, reply["tasks"]))}


def in_markdown(task: Json) -> str:
    """Return a task as a markdown block."""
    body = str(task.get("text") or "")
    fields = {name: value for name, value in task.items() if name not in {"kind", "text"}}
    lines = [f"{name}: {value if isinstance(value, str) else json.dumps(value)}" for name, value in fields.items()]
    return "\n".join((f"# «{task.get('kind')}»", *lines, "", body))


def send_reply(*texts: str) -> Json:
    """Return a reply of the model that sends messages with these texts."""
    return {"tasks": [{"kind": "send", "text": text} for text in texts]}


def call_reply(name: str, **arguments: Any) -> Json:
    """Return a reply of the model that calls a tool."""
    return {"function_calls": [{"name": name, "args": arguments}]}
