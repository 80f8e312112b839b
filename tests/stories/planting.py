"""The data of a story of a leaving person: a marked sentence for every way on which text can enter lull.

Each way has a mark of its own, so that one that is left tells by which way it came. `MARK` is in each of them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import httpx

from shared.chat.store import paths
from tests import media_files as files
from tests.shared.reader.web.hostile import HostileServer
from tests.stories.describing import always, shows
from tests.stories.play import Chat, Json, Person, Sandbox, until
from tests.stories.test_commands import press
from tests.stories.test_notes import comes_to_rest, is_noted, looks, notes
from tests.stories.test_restore import archived
from tests.stories.words import will_say

MARK = "quixotic"
#: how requests for notes and for a record of days begin (notes_prompt.py and jobs/summarize.py in shared/recall)
NOTES, RECORD = "You keep the notes of a chat", "You keep the record of a chat"
#: the ways whose mark must have arrived, each of which is checked before anybody is forgotten
WAYS = (
    "written", "edited", "captioned", "file", "heard", "shown", "button", "started", "titled", "topic", "renamed",
    "quoted", "forwarded", "remembered", "of the group", "reminded", "noted", "observed", "recorded",
    "page", "answered", "venue", "contact", "dead letter", "among others", "older part", "looked up",
)  # fmt: skip


def mark(way: str) -> str:
    """Make the marked sentence of a way; in links it has no spaces."""
    return f"{MARK}_{way}_zebra" if way == "started" else f"{MARK} {way} zebra"


@dataclass
class Planted:
    """The person who leaves, the people who stay, and their chats."""

    sandbox: Sandbox
    leaver: Person
    other: Person
    chat: Chat
    others: Chat
    group: Chat

    async def in_private(self) -> None:
        """Write, send and act in the person's private chat with the agent."""
        sandbox, chat, who = self.sandbox, self.chat, self.leaver
        for plan in (
            [{"kind": "remember", "text": mark("remembered")}, {"kind": "send", "text": mark("answered")}],
            [{"kind": "schedule", "text": mark("reminded"), "after": "10 days"}],
            [{"kind": "send", "text": "Which?", "choices": [mark("button"), "Neither"]}],
        ):
            await sandbox.model.will_plan(*plan, match=f"chat_id={chat.id} ")
            await chat.writes(who, mark("written"))
            await chat.answers()
            await chat.rests()
        await sandbox.model.will(always(chat, mark("answered")))
        await chat.catches_up()
        asked = next(m for m in reversed(await chat.said()) if m.get("buttons"))
        await press(chat, who, asked, 0)
        await chat.answers()
        for command in (f"/start {mark('started')}", f"/title {mark('titled')}"):
            await chat.writes(who, command)
            await chat.answers()
        await chat.sends_content(who, content={"contact": {"phone_number": "+38044", "first_name": mark("contact")}})
        venue = {"location": {"latitude": 1.0, "longitude": 1.0}, "title": mark("venue"), "address": "A street"}
        await chat.sends_content(who, content={"venue": venue})
        await chat.rests()

    async def of_files(self) -> None:
        """Send files with marks in names, captions, pictures and sound."""
        shown = shows(mark("shown"), mark("heard"))
        await self.sandbox.model.will(shown | {"times": None})
        for place in (self.chat, self.group):
            await place.sends_voice(self.leaver, files.ogg(1.0))
            await place.sends_photo(self.leaver, files.png(), mark("captioned"))
            await place.sends_document(self.leaver, files.wav(0.5), f"{mark('file')}.wav")

    async def of_a_page(self, web: HostileServer) -> None:
        """Have a page read for the person."""
        url = web.has("/page", f"<html><body><article><p>{mark('page')}</p></article></body></html>".encode())
        sandbox, chat = self.sandbox, self.chat
        reads = {"function_calls": [{"name": "retrieve", "args": {"urls": [url]}}], "match": f"chat_id={chat.id} "}
        await sandbox.model.will(reads)
        await will_say(sandbox, chat, mark("page"))
        await chat.writes(self.leaver, f"what does {url} say?")
        await chat.answers()
        await chat.rests()

    async def among_others(self) -> None:
        """Write in a group, and let others use the words there and elsewhere."""
        sandbox, group, who, other = self.sandbox, self.group, self.leaver, self.other
        learnt = {"kind": "remember", "text": mark("of the group"), "scope": "chat"}
        plan = [learnt, {"kind": "send", "text": mark("answered")}]
        await sandbox.model.will_plan(*plan, match=f"chat_id={group.id} ")
        said = await group.writes(who, f"@lull_bot {mark('among others')}")
        await group.answers()
        answer = (await group.said())[-1]["message_id"]
        edited = await group.writes(who, mark("written"))
        await group.writes(who, mark("edited"), edit_of=edited)
        place = f"/world/chats/{group.key}/messages/{answer}/reactions"
        (await sandbox.telegram.post(place, json={"from": who.id, "emoji": "👍"})).raise_for_status()
        quoted = await group.writes(who, mark("quoted"))
        await group.writes(other, "what of it?", reply_to=quoted)
        await group.writes(other, "and of this?", reply_to=quoted, quote=mark("quoted"))
        passed_on = await group.writes(who, mark("forwarded"))
        await group.rests()
        await sandbox.model.will(always(self.others, mark("forwarded")))
        there = {"chat": group.key, "message_id": quoted}
        await self.others.writes(other, "", forward_of={"chat": group.key, "message_id": passed_on})
        await self.others.writes(other, "what is that?", reply_elsewhere=there)
        await self.others.writes(other, "and that?", reply_elsewhere=there, quote=mark("quoted"))
        await self.others.answers()
        await self.others.rests()
        theirs = await group.writes(other, "my umbrella is yours")
        await self.chat.writes(who, "", forward_of={"chat": group.key, "message_id": theirs})
        await self.chat.writes(who, "", forward_of={"chat": group.key, "message_id": said})
        await group.rests()
        await self.chat.rests()

    async def told_raw(self) -> None:
        """Send updates that people of the local Telegram cannot make: a group's title, a topic's name, a
        broken update.
        """
        who, group = self.leaver, self.group
        sender = {"id": who.id, "is_bot": False, "first_name": who.name, "username": f"{who.name.lower()}_x"}
        chat = {"id": group.id, "type": "supergroup", "title": mark("renamed")}
        message: Json = {"date": int(datetime.now(UTC).timestamp()), "chat": chat, "from": sender}
        topic = {"name": mark("topic"), "icon_color": 7322096}
        told: list[Json] = [
            {**message, "message_id": 9001, "new_chat_title": mark("renamed")},
            {**message, "message_id": 9002, "forum_topic_created": topic},
            {"from": sender, "text": mark("dead letter")},
        ]
        for number, one in enumerate(told):
            secret = {"X-Telegram-Bot-Api-Secret-Token": self.sandbox.cloud.webhook_secret}
            async with httpx.AsyncClient(timeout=60, headers=secret) as webhook:
                update = {"update_id": 900_000_000 + number, "message": one}
                (await webhook.post(f"{self.sandbox.cloud.webhook_url}/lull", json=update)).raise_for_status()
        await group.rests()

    async def made_of_it(self) -> None:
        """Run all jobs: notes, summaries of days, the archive, and the sweep."""
        sandbox, chats = self.sandbox, (self.chat, self.group, self.others)
        seen = {"text": mark("observed"), "about": [self.leaver.name], "happened": "", "entries": [1], "supersedes": ""}
        await sandbox.model.will(
            notes(abbreviation=mark("noted"), title=mark("noted"), observations=[seen])
            | {"match": NOTES, "times": None},
            {"text": json.dumps({"summary": mark("recorded")}), "match": RECORD, "times": None},
        )
        for chat in chats:
            await comes_to_rest(chat)
        await looks(sandbox)
        for chat in chats:
            await is_noted(chat)
            await self._recorded(chat)
            conversation = (await chat.document())["conversation"]
            older = {"text": mark("older part"), "made_at": datetime.now(UTC), "up_to_seq": 1}
            await sandbox.firestore.document(paths.compression_path(conversation)).set(older)
        looked_up = {"text": mark("looked up"), "at": datetime.now(UTC)}
        await sandbox.firestore.document(paths.lookup_path("https://example.org")).set(looked_up)
        await archived(sandbox)
        async with httpx.AsyncClient(timeout=120) as client:
            for job in ("sweep", "register", "canary"):
                (await client.post(f"{sandbox.cloud.scheduler_url}/jobs/{job}:run", json={})).raise_for_status()
        await sandbox.model.clear()

    async def _recorded(self, chat: Chat) -> None:
        """Make the summary of a chat's days due, and run its job."""
        name = chat.chat_key.id
        due = {"made_at": datetime.now(UTC) - timedelta(days=40), "text": "", "up_to": None}
        await self.sandbox.firestore.document(paths.summary_path(name, "7day")).set(due, merge=True)
        async with httpx.AsyncClient(timeout=120) as client:
            asked = {"job": "summarize", "chat": name}
            (await client.post(self.sandbox.cloud.summarize_url, json=asked)).raise_for_status()


async def planted(sandbox: Sandbox, web: HostileServer) -> Planted:
    """Plant all marks."""
    leaver, other = await sandbox.person(MARK.capitalize()), await sandbox.person("Bob")
    found = Planted(
        sandbox=sandbox, leaver=leaver, other=other, chat=await sandbox.private(leaver),
        others=await sandbox.private(other),
        group=await sandbox.group([leaver, other]),
    )  # fmt: skip
    await found.of_a_page(web)
    await found.in_private()
    await found.among_others()
    await found.of_files()
    await found.told_raw()
    await is_described(sandbox, found.chat, found.group)
    await found.made_of_it()
    return found


async def is_described(sandbox: Sandbox, *chats: Chat) -> None:
    """Wait until every sent file is described, and its chat told."""

    async def none_is_open() -> bool:
        sent = [one.to_dict() or {} async for one in sandbox.firestore.collection("references").stream()]
        return len(sent) >= 3 * len(chats) and not any(one.get("is_open") for one in sent)

    await until(none_is_open, "the files are described")
    for chat in chats:
        await chat.rests()


def missing(told: Sequence[str]) -> list[str]:
    """List the ways whose mark is in none of these texts."""
    return [way for way in WAYS if not any(mark(way) in one for one in told)]
