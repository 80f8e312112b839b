"""Isolation, as an attack: in random worlds people plant marked words everywhere, and ask for all of them everywhere.

Notes are made by a model that copies its whole input. No finding, page, prompt, note or summary may contain a mark from
a place that the asking person may not see in that chat.
"""

import random
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.base.errors import LeaseLost, ToolFailed, WriteConflict
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.llm.ports.world import PortRegistry
from shared.recall.jobs.summarize import summarize, summary_job_for
from shared.recall.service import RecallService
from shared.recall.store.summaries import FirestoreSummaries
from shared.recall.tools import fetch_context, search_conversations
from shared.telegram.outbound.bot import TelegramChannel
from shared.tools.tool import Tool, ToolContext, ToolOutput
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.job_run import JobRun
from shared.values.message import Author
from shared.values.place import place_of
from shared.wiring.stores import recall_of
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.copying import copying_model
from tests.shared.privacy.jobs.job_harness import JobHarness
from tests.shared.recall.jobs.test_summarize import summarizer
from tests.shared.sessions import have_said
from tests.stories.play import Chat, Person, Sandbox

LONG_AGO = datetime(2026, 3, 1, 10, tzinfo=UTC)
#: the sentence of all marks, so that each question is about all of them
SHED = "the password of the shed is"
MARK = re.compile(r"falcon[a-z]{12}")
DAYS = 90


@dataclass
class World:
    """Some people, with their private chats and groups; and where each mark was said."""

    chance: random.Random
    sandbox: Sandbox
    chats: FirestoreChats
    people: list[Person]
    private: dict[int, Chat] = field(default_factory=dict)
    #: each group with who is in it
    groups: list[tuple[Chat, set[int]]] = field(default_factory=list)
    said_in: dict[str, str] = field(default_factory=dict)
    conversations: dict[str, ChatKey] = field(default_factory=dict)
    #: prompts that had something to tell
    recalled: int = 0

    @property
    def all_chats(self) -> list[Chat]:
        return [*self.private.values(), *(group for group, _ in self.groups)]

    def people_in(self, chat: Chat) -> list[Person]:
        members = next((members for group, members in self.groups if group.key == chat.key), None)
        return [one for one in self.people if (one.id in members if members is not None else self._is_of(one, chat))]

    def _is_of(self, person: Person, chat: Chat) -> bool:
        return self.private[person.id].key == chat.key

    def visible(self, person: Person, chat: Chat) -> set[str]:
        """Return the places whose words this person may see in a chat."""
        own = {place_of(chat.chat_key)}
        if not chat.chat_key.is_private:
            return own
        return own | {place_of(group.chat_key) for group, members in self.groups if person.id in members}

    async def plants(self, chat: Chat) -> None:
        """Write a marked sentence in a conversation of a chat, and leave or continue the conversation."""
        person = self.chance.choice(self.people_in(chat))
        mark = "falcon" + "".join(self.chance.choices("abcdefghijklmnopqrstuvwxyz", k=12))
        self.said_in[mark] = place_of(chat.chat_key)
        texts = [(Author(id=person.id, name=person.name), f"{SHED} {mark}, as {person.name} says")]
        at = LONG_AGO + timedelta(days=self.chance.randrange(DAYS))
        leaves = self.chance.random() < 0.7
        said = None
        while said is None:
            with suppress(WriteConflict, LeaseLost):  # a tick may still read that the agent came
                said = await have_said(self.chats, chat.chat_key, at, texts, leaves=leaves)
        self.conversations[said.conversation] = chat.chat_key

    def leaks(self, text: str, allowed: set[str]) -> set[str]:
        return {mark for mark in MARK.findall(text) if self.said_in[mark] not in allowed}


async def a_world(seed: int, sandbox: Sandbox, chats: FirestoreChats) -> World:
    chance = random.Random(seed)
    people = [await sandbox.person(name) for name in ("Ann", "Bob", "Cleo")]
    world = World(chance, sandbox, chats, people)
    for one in people:
        world.private[one.id] = await sandbox.private(one)
    for size in (2, chance.choice((1, 2)), 2):
        members = chance.sample(people, size)
        group = await sandbox.group(members)
        await group.rests()  # a tick reads that the agent was added
        world.groups.append((group, {one.id for one in members}))
    for chat in world.all_chats * 2:
        await world.plants(chat)
    return world


async def keep_notes(world: World, job_harness: JobHarness) -> None:
    """Take notes of all conversations and summarize all chats."""
    for conversation, key in world.conversations.items():
        assert (await replace(job_harness, key=key).works_on(conversation))["calls"]
    for chat in world.all_chats:
        by = summarizer(job_harness)
        about = JobRun(scheduled_for="now", chat=chat.chat_key.id)
        await summary_job_for(by, about.chat, LONG_AGO, about)
        await summarize(by, about)


async def stored(world: World, chat: Chat) -> str:
    """Return the notes, segments and summaries of a chat, as text."""
    client, kept = world.chats.client, list[object]()
    for conversation, key in world.conversations.items():
        if key == chat.chat_key:
            document = client.document(paths.conversation_path(conversation))
            kept.append((await document.get()).to_dict())
            for below in (paths.OBSERVATIONS, paths.SEGMENTS):
                kept += [one.to_dict() async for one in document.collection(below).stream()]
    summaries = FirestoreSummaries(client)
    kept += [await summaries.last_summaries(chat.chat_key.id), await summaries.shown_summaries(chat.chat_key.id)]
    return repr(kept)


async def told(tool: Tool, context: ToolContext, **arguments: object) -> str:
    """Call a tool for a person, and return its answer, which may be empty."""
    try:
        answer = await tool.run(arguments, context)
    except ToolFailed:
        return ""
    assert isinstance(answer, ToolOutput)
    return "\n".join(answer.parts)


async def learned(world: World, person: Person, chat: Chat, recall: RecallService) -> str:
    """Return the answers of all tools to a person who asks for everything in a chat."""
    key = chat.chat_key
    context = ToolContext(
        asker=Author(id=person.id, name=person.name),
        chat=key,
        kind=ChatKind.PRIVATE if key.is_private else ChatKind.SUPERGROUP,
        places=(place_of(key),),
        conversation="",
        now=LONG_AGO + timedelta(days=DAYS),
        zone=UTC,
        ports=PortRegistry({RecallService: recall}),
    )
    search, fetch = search_conversations.TOOL, fetch_context.TOOL
    searched = [await told(search, context, query=SHED, limit=20)]
    mark = world.chance.choice(sorted(world.said_in))
    searched.append(await told(search, context, query=f"who spoke of {mark}?"))
    for conversation in world.conversations:
        searched.append(await told(fetch, context, conversation=conversation))
    named = world.chance.choice(sorted(world.conversations))
    searched.append(await told(search, context, query=SHED, conversation=named))
    return "\n".join(searched)


async def prompted(world: World, person: Person, chat: Chat) -> str:
    """Return the prompt for a person who asks for everything in a chat."""
    called = "" if chat.chat_key.is_private else "@lull_bot "
    question = f"{called}do you remember, for {person.name}, what {SHED.removesuffix(' is')} was?"
    await world.sandbox.model.will_plan({"kind": "send", "text": "Let me think."}, match=f"chat_id={chat.id} ")
    await chat.writes(person, question)
    await chat.answers()
    await chat.rests()
    return str((await world.sandbox.model.asked(question))[-1]["request"]["contents"])


async def assert_sees_what_is_theirs(world: World, person: Person, chat: Chat, recall: RecallService) -> None:
    """Check that a person who asks for everything gets the words of the chat, and none that they may not see there."""
    found, prompt = await learned(world, person, chat, recall), await prompted(world, person, chat)
    for text in (found, prompt):
        assert not world.leaks(text, world.visible(person, chat)), (person.name, chat.key)
    assert any(world.said_in[mark] == place_of(chat.chat_key) for mark in MARK.findall(found))
    world.recalled += bool(MARK.search(prompt))


async def leaves(world: World) -> Person:
    """Let a person leave a group, and return them."""
    group, members = world.chance.choice([one for one in world.groups if len(one[1]) > 1])
    gone = world.chance.choice([one for one in world.people if one.id in members])
    (await world.sandbox.telegram.delete(f"/world/chats/{group.key}/members/{gone.id}")).raise_for_status()
    members.remove(gone.id)
    await group.rests()
    return gone


@pytest.fixture
async def chats(sandbox: Sandbox) -> AsyncIterator[FirestoreChats]:
    """Open the chats that the cloud's functions store."""
    found = FirestoreChats(sandbox.cloud.project)
    yield found
    found.client.close()  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("seed", [1, 2])
async def test_nobody_is_told_what_was_said_where_they_may_not_see_it(
    seed: int, sandbox: Sandbox, chats: FirestoreChats, paused_queue: PausedQueue
) -> None:
    world = await a_world(seed, sandbox, chats)
    async with copying_model() as model:
        job_harness = JobHarness(
            chats.client, sandbox.model, paused_queue, model, world.private[world.people[0].id].chat_key
        )
        job_harness.now = LONG_AGO + timedelta(days=DAYS)
        await keep_notes(world, job_harness)
    for chat in world.all_chats:
        text = await stored(world, chat)
        assert MARK.search(text)
        assert not world.leaks(text, {place_of(chat.chat_key)})
    channel = TelegramChannel(sandbox.cloud.tokens["lull"], sandbox.cloud.telegram_url)
    recall = recall_of(None, chats.client, channel)
    for chat in world.all_chats:
        for person in world.people_in(chat):
            await assert_sees_what_is_theirs(world, person, chat, recall)
    assert world.recalled == sum(len(world.people_in(chat)) for chat in world.all_chats)
    gone = await leaves(world)
    await assert_sees_what_is_theirs(world, gone, world.private[gone.id], recall)
    await channel.aclose()
