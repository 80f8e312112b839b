"""The scene of a talk: its people and chats. It also reads what the database and the prompts contain about them."""

import re
from dataclasses import dataclass
from typing import Any, Final

from google.cloud.firestore_v1 import DELETE_FIELD

from benchmarks.talks.sayings import Saying
from shared.chat.store import paths
from shared.values.registration import claim_code
from tests.stories.play import Chat, Person, Sandbox, until

Json = dict[str, Any]
#: the beginnings of two parts of a prompt: the memories, and the passages recalled from earlier conversations
MEMORY, RECALLED = "[memory", "[recalled:"
#: fields of an access list that are deleted before an agent gets a new owner
_ACCESS_LIST: Final = ("owner", "people", "groups", "blocked", "silenced", "invitations")


@dataclass
class Scene:
    """One scene."""

    stage: Sandbox
    saying: Saying
    #: a number that no other scene has
    seed: int
    #: the value of `Reach`: the people for whom the fact is remembered
    reach: str
    #: the agent's owner, who used the claim link, and the owner's private chat
    owner: Person
    owners: Chat
    #: the person who makes the requests, and the chat in which they are made
    who: Person
    chat: Chat
    #: another person (a member of the group, or another guest), and the chat in which this person writes
    other: Person
    others: Chat
    #: the id of the conversation that contains the request
    conversation: str = ""

    @property
    def is_group(self) -> bool:
        """Whether the talk is in a group."""
        return self.chat.id < 0

    @property
    def agent(self) -> str:
        """The agent's id."""
        return self.chat.agent

    async def says(self, who: Person, text: str, chat: Chat | None = None, **more: Any) -> str:
        """Have `who` write to the agent, wait for the answer, and return the text of the prompt that led to the
        answer.
        """
        where = chat or self.chat
        about = f"chat_id={where.id} "
        before = len(await self.stage.model.asked(about))
        await where.writes(who, f"{await self.mention()} {text}" if where.id < 0 else text, **more)

        async def is_asked() -> bool:
            return len(await self.stage.model.asked(about)) > before

        await where.rests()
        if not await is_asked():  # the first update of a new group is not a message
            await until(is_asked, "the model is asked")
            await where.rests()
        return await self.prompt(where)

    async def mention(self) -> str:
        """Return the words by which people in a group address the agent."""
        return f"@{(await self.stage.bot(self.agent))['username']}"

    async def commands(self, who: Person, command: str, chat: Chat | None = None) -> None:
        """Have `who` send a command, and wait until no work is left."""
        where = chat or self.chat
        name = await self.mention() if where.id < 0 else ""
        await where.writes(who, f"{command}{name}")
        await where.rests()

    async def will(self, *tasks: Json, asked: str, chat: Chat | None = None) -> None:
        """Script the model: once the prompt of a chat contains the text `asked`, the model plans `tasks` and a message.

        Without this condition, an earlier message could get these tasks, for example a film whose description came
        late.
        """
        match = rf"\A(?s:(?=.*chat_id={(chat or self.chat).id} )(?=.*{re.escape(asked)}))"
        await self.stage.model.will_plan(*tasks, {"kind": "send", "text": "All right."}, match=match)

    async def prompt(self, chat: Chat) -> str:
        """Return the texts of a chat's newest prompt; empty if there was none."""
        asked = await self.stage.model.asked(f"chat_id={chat.id} ")
        turns = asked[-1]["request"]["contents"] if asked else []
        return "\n".join(part["text"] for turn in turns for part in turn["parts"] if "text" in part)

    async def document(self, path: str) -> Json:
        """Return a document; empty if there is none."""
        return (await self.stage.firestore.document(path).get()).to_dict() or {}

    async def read_memories(self) -> dict[str, str]:
        """Return the memories that are stored in the place expected for this scene, by id."""
        places = {
            "chat": f"{paths.chat_path(self.chat.chat_key)}/{paths.MEMORIES}/current",
            "agent": f"{paths.bot_path(self.agent)}/{paths.MEMORIES}/current",
        }
        of_person = f"{paths.person_path(self.who.id)}/{paths.MEMORIES}/{self.agent}"
        found = (await self.document(places.get(self.reach, of_person))).get("memories") or {}
        return {name: str(one["text"]) for name, one in found.items()}

    async def is_blocked(self, person: Person) -> bool:
        """Return whether the agent has blocked a person."""
        return str(person.id) in ((await self.document(paths.bot_path(self.agent))).get("blocked") or {})


def section(prompt: str, begin: str) -> str:
    """Return the text that follows the last `begin` in a prompt, up to the next line that begins with `[`; "" if the
    prompt does not contain `begin`.
    """
    _, found, rest = prompt.rpartition(begin)
    return rest.partition("\n[")[0] if found else ""


async def claim_agent(stage: Sandbox, agent: str) -> tuple[Person, Chat]:
    """Delete the agent's access list and memories, and give the agent a new owner with a private chat."""
    nothing: Json = dict.fromkeys(_ACCESS_LIST, DELETE_FIELD)
    await stage.firestore.document(paths.bot_path(agent)).set(nothing, merge=True)
    await stage.firestore.document(f"{paths.bot_path(agent)}/{paths.MEMORIES}/current").delete()
    owner = await stage.person("Olga")
    chat = await stage.private(owner, agent)
    code = claim_code(stage.cloud.webhook_secret, agent, chat.bot_id)
    await chat.writes(owner, f"/start claim_{code}")
    await chat.rests()
    return owner, chat


async def invite_guest(
    stage: Sandbox, owner: Person, owners: Chat, name: str, language: str = "en"
) -> tuple[Person, Chat]:
    """Create a person with a private chat, and have the person open the owner's invitation link there."""
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
