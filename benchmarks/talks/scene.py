"""The scene of a talk: its people and chats, and what can be seen of them in the database and in prompts."""

import re
from dataclasses import dataclass
from typing import Any, Final

from google.cloud.firestore_v1 import DELETE_FIELD

from benchmarks.talks.sayings import Saying
from shared.chat.store import paths
from shared.values.registration import claim_code
from tests.stories.play import Chat, Person, Sandbox, until

Json = dict[str, Any]
#: where prompts tell what is remembered, and what is recalled
MEMORY, RECALLED = "[memory", "[recalled:"
#: of an access list, what a new owner finds empty
_ACCESS_LIST: Final = ("owner", "people", "groups", "blocked", "silenced", "invitations")


@dataclass
class Scene:
    """One."""

    stage: Sandbox
    saying: Saying
    #: a number that nothing else has
    seed: int
    #: for whom it is to be remembered (`Reach`)
    reach: str
    #: the agent's owner, who came by the claim link, and their private chat
    owner: Person
    owners: Chat
    #: whoever asks, and in which chat
    who: Person
    chat: Chat
    #: somebody else: of the group, or another guest, and where they write
    other: Person
    others: Chat
    #: the conversation in which it was asked
    conversation: str = ""

    @property
    def is_group(self) -> bool:
        """Whether others are there."""
        return self.chat.id < 0

    @property
    def agent(self) -> str:
        """The agent's id."""
        return self.chat.agent

    async def says(self, who: Person, text: str, chat: Chat | None = None, **more: Any) -> str:
        """Have somebody write to the agent and wait for the answer; returns the prompt."""
        where = chat or self.chat
        about = f"chat_id={where.id} "
        before = len(await self.stage.model.asked(about))
        await where.writes(who, f"{await self.mention()} {text}" if where.id < 0 else text, **more)

        async def is_asked() -> bool:
            return len(await self.stage.model.asked(about)) > before

        await where.rests()
        if not await is_asked():  # a new group's first update is not what was written there
            await until(is_asked, "the model is asked")
            await where.rests()
        return await self.prompt(where)

    async def mention(self) -> str:
        """How a group names the agent."""
        return f"@{(await self.stage.bot(self.agent))['username']}"

    async def commands(self, who: Person, command: str, chat: Chat | None = None) -> None:
        """Have somebody give a command, and wait."""
        where = chat or self.chat
        name = await self.mention() if where.id < 0 else ""
        await where.writes(who, f"{command}{name}")
        await where.rests()

    async def will(self, *tasks: Json, asked: str, chat: Chat | None = None) -> None:
        """Have the model plan these tasks, and say something, once it is shown in a chat what somebody asked.

        Else whatever is answered there before would be answered with them: a film that was only now described, say.
        """
        match = rf"\A(?s:(?=.*chat_id={(chat or self.chat).id} )(?=.*{re.escape(asked)}))"
        await self.stage.model.will_plan(*tasks, {"kind": "send", "text": "All right."}, match=match)

    async def prompt(self, chat: Chat) -> str:
        """The texts of a chat's newest prompt; empty: there was none."""
        asked = await self.stage.model.asked(f"chat_id={chat.id} ")
        turns = asked[-1]["request"]["contents"] if asked else []
        return "\n".join(part["text"] for turn in turns for part in turn["parts"] if "text" in part)

    async def document(self, path: str) -> Json:
        """A document; empty: there is none."""
        return (await self.stage.firestore.document(path).get()).to_dict() or {}

    async def kept(self) -> dict[str, str]:
        """What is remembered where it is to be, by its id."""
        places = {
            "chat": f"{paths.chat_path(self.chat.chat_key)}/{paths.MEMORIES}/current",
            "agent": f"{paths.bot_path(self.agent)}/{paths.MEMORIES}/current",
        }
        of_person = f"{paths.person_path(self.who.id)}/{paths.MEMORIES}/{self.agent}"
        found = (await self.document(places.get(self.reach, of_person))).get("memories") or {}
        return {name: str(one["text"]) for name, one in found.items()}

    async def is_blocked(self, person: Person) -> bool:
        """Whether the agent answers somebody no more."""
        return str(person.id) in ((await self.document(paths.bot_path(self.agent))).get("blocked") or {})


def section(prompt: str, begin: str) -> str:
    """The part of a prompt that begins so, up to an empty line or the next part; empty: it has none."""
    _, found, rest = prompt.rpartition(begin)
    return rest.partition("\n[")[0] if found else ""


async def claimed(stage: Sandbox, agent: str) -> tuple[Person, Chat]:
    """A new owner of an agent, and their private chat; whom it knew is forgotten."""
    nothing: Json = dict.fromkeys(_ACCESS_LIST, DELETE_FIELD)
    await stage.firestore.document(paths.bot_path(agent)).set(nothing, merge=True)
    await stage.firestore.document(f"{paths.bot_path(agent)}/{paths.MEMORIES}/current").delete()
    owner = await stage.person("Olga")
    chat = await stage.private(owner, agent)
    code = claim_code(stage.cloud.webhook_secret, agent, chat.bot_id)
    await chat.writes(owner, f"/start claim_{code}")
    await chat.rests()
    return owner, chat


async def invited(stage: Sandbox, owner: Person, owners: Chat, name: str, language: str = "en") -> tuple[Person, Chat]:
    """Somebody who opened a link of the owner's, and their private chat."""
    before = len(await owners.said())
    await owners.writes(owner, "/invite")
    await owners.rests()
    (link,) = [m for m in (await owners.said())[before:] if "start=" in str(m["text"])]
    guest = await stage.person(name, language)
    chat = await stage.private(guest, owners.agent)
    await chat.writes(guest, f"/start {str(link['text']).rsplit('start=', 1)[1].split()[0]}")
    await chat.rests()
    await owners.rests()
    return guest, chat
