"""Tests of which memories are read for a prompt, and where the prompt shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from shared.base.text import Entity, EntityType
from shared.memory.by_owner import MemoriesByOwner
from shared.memory.forgotten import forget_memory
from shared.memory.loaded import LoadedMemories
from shared.memory.prompt_memories import (
    FRESH,
    RECALL_FACTS,
    MemoryLoader,
    has_memory,
    has_other_sources,
    with_memories,
)
from shared.memory.store import FirestoreMemories
from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.scene import ChatPeople
from shared.values.agent import CuratedMemory, ModelNotes, RolePrompt
from shared.values.memory import Memory, MemoryOwner, MemoryScope
from shared.values.message import Message, QuotedMessage
from shared.values.origin import OWN, TextOrigin, TextSource
from shared.values.prompt import ToolAnswer, ToolCall
from shared.values.tool_use import tool_use_of
from tests.shared.examples import ANN, BOB, GROUP_KEY, ME, NOW, agent, said
from tests.shared.memory.facts import GROUP as IN_GROUP
from tests.shared.memory.facts import PRIVATE as IN_PRIVATE
from tests.shared.memory.facts import fact
from tests.shared.planning.prompt.scenes import GROUP, PRIVATE, scene
from tests.shared.turn.harness import ChatHarness

REMEMBERING = agent(roles=(RolePrompt(name="r", text="Remember.", unlocks=("send", "remember")),))
TEA, CHATS = fact(id="mtea"), fact("Tea at five.", GROUP_KEY, id="mchat", scope=MemoryScope.CHAT)


@dataclass
class Kept(FirestoreMemories):
    """Stored memories. It records for which owners memories were read."""

    by_owner: Mapping[MemoryOwner, tuple[Memory, ...]] = field(default_factory=dict)
    asked: list[MemoryOwner] = field(default_factory=list)

    async def of(self, owners: Sequence[MemoryOwner]) -> Mapping[MemoryOwner, tuple[Memory, ...]]:
        self.asked += owners
        return {owner: self.by_owner.get(owner, ()) for owner in owners}


async def test_reads_nothing_for_an_agent_without_memory() -> None:
    kept, curated = Kept(), CuratedMemory(text="The cat is Mau.")
    plain = agent(memories=(curated,))
    found = await MemoryLoader(memories=kept).of(scene(said("hi"), agent=plain), (ANN.id,), None)
    assert (kept.asked, found.known.curated) == ([], (curated,))


async def test_reads_one_document_for_each_person_and_group() -> None:
    kept = Kept()
    memory_loader = MemoryLoader(memories=kept, most=7)
    found = await memory_loader.of(scene(said("hi"), agent=REMEMBERING, chat=PRIVATE), (ANN.id,), None)
    assert (kept.asked, found.most) == ([IN_PRIVATE.agents, IN_PRIVATE.person(ANN.id)], 7)
    kept.asked.clear()
    there = scene(said("hi"), agent=REMEMBERING, chat=GROUP)
    known = await memory_loader.of(there, (ANN.id,), None)
    assert kept.asked == [IN_GROUP.chats[0], IN_GROUP.person(ANN.id)], "what everyone may know is known for a minute"
    assert known.title == "Garden"
    kept.asked.clear()
    await memory_loader.of(there, (ANN.id, BOB.id), known)
    assert kept.asked == [IN_GROUP.person(BOB.id)], "what an earlier reply was shown is not read again"


async def test_caches_memories_for_everyone_except_for_the_owner() -> None:
    kept, there = Kept(), scene(said("hi"), agent=REMEMBERING, chat=PRIVATE)
    memory_loader = MemoryLoader(memories=kept)
    for asked in (there, there, replace(there, people=ChatPeople(owner=ANN.id)), replace(there, now=there.now + FRESH)):
        await memory_loader.of(asked, (ANN.id,), None)
    assert [owner for owner in kept.asked if owner == IN_PRIVATE.agents] == [IN_PRIVATE.agents] * 3


async def test_shows_what_an_earlier_reply_remembered() -> None:
    hers = IN_PRIVATE.person(ANN.id)
    there = scene(said("hi"), agent=REMEMBERING, chat=PRIVATE)
    before = {owner: () for owner in IN_PRIVATE.owners}
    known = LoadedMemories(
        here=IN_PRIVATE, before=MemoriesByOwner(before), after=MemoriesByOwner({**before, hers: (TEA,)})
    )
    found = await MemoryLoader(memories=Kept()).of(there, (ANN.id,), known)
    assert (found.before.of(hers), found.known.listed) == ((), (TEA,))
    prompt = "".join(part for turn in assemble_prompt(with_memories(there, found)).turns for part in turn.parts)
    assert "mtea (Ann, 2026-03-01): Ann likes tea." in prompt


def test_in_a_group_personal_memories_stand_near_the_end() -> None:
    owned = MemoriesByOwner({IN_GROUP.chats[0]: (CHATS,), IN_GROUP.person(ANN.id): (fact(key=GROUP_KEY, id="mtea"),)})
    found = LoadedMemories(here=IN_GROUP, after=owned)
    there = with_memories(scene(said("hello"), agent=REMEMBERING, chat=GROUP), found)
    prompt = "\n".join(part for turn in assemble_prompt(there).turns for part in turn.parts)
    places = [prompt.index(text) for text in ("mchat", "hello", "mtea", "[now]")]
    assert places == sorted(places)


def test_detects_words_of_people_who_are_not_answered() -> None:
    ann, bob = (TextSource(origin=TextOrigin.PERSON, person=one.id) for one in (ANN, BOB))
    uses = [
        tool_use_of(ToolAnswer(call=ToolCall(name=name, arguments={}), text="")) for name in (RECALL_FACTS, "search")
    ]
    people = (ANN.id,)
    assert not has_other_sources((OWN, ann, TextSource(origin=TextOrigin.AGENT)), uses[:1], people)
    assert not has_other_sources((TextSource(origin=TextOrigin.OWNER, person=BOB.id),), (), people)
    assert has_other_sources((ann, bob), (), people)
    assert has_other_sources((ann,), uses, people)


async def test_shows_nothing_to_a_model_without_the_ability(harness: ChatHarness) -> None:
    replier = harness.tick_services.agents["lull"].replier
    small = replace(
        replier, offered_models={"small": ModelNotes(calls_functions=False, withholds=("remember", "forget"))}
    )
    found = small.background(await harness.document(), (), None)
    assert not has_memory(found.agent)
    assert has_memory(replier.background(await harness.document(), (), None).agent)


SECRET = "I am scared of geese."


@pytest.mark.parametrize(
    "entry",
    [
        said("this?", BOB, 40, reply=QuotedMessage(message_id=3, author=ANN, excerpt=SECRET)),
        said("this?", BOB, 40, reply=QuotedMessage(message_id=3, author=ANN, excerpt="Hm.", around=f"Hm. {SECRET}")),
        said("this?", BOB, 40, reply=QuotedMessage(message_id=3, author=ANN, excerpt="scared of geese", around=SECRET)),
        said(
            "this?", BOB, 40, reply=QuotedMessage(message_id=3, author=ANN, excerpt="Hm.", media=f"a photo, {SECRET}")
        ),
        said("Done.", ME, 40, looked_up=('search {"query":"scared of geese"} → nothing was found', "weather → 3 °C")),
        said("Done.", ME, 40, looked_up=(f"list_reminders {{}} → says: {SECRET}",)),
        said("Which?", ME, 40, choices=("I am scared of geese", "Something else")),
    ],
)
def test_removes_forgotten_facts_from_every_part_of_a_message(entry: Message) -> None:
    hers = IN_GROUP.person(ANN.id)
    gone = fact("Ann is scared of geese.", GROUP_KEY, id="mgone")
    owned = forget_memory(MemoriesByOwner({hers: (gone,)}), hers, gone, NOW)
    there = scene(said("what of it?", ANN, 39), entry, agent=REMEMBERING, chat=GROUP, targets=(40,))
    before, after = (
        "\n".join(part for turn in assemble_prompt(one).turns for part in turn.parts)
        for one in (there, with_memories(there, LoadedMemories(here=IN_GROUP, after=owned)))
    )
    assert "geese" in before
    assert "geese" not in after
    assert "what of it?" in after


def test_drops_links_of_a_shortened_quote() -> None:
    hers = IN_GROUP.person(ANN.id)
    gone = fact("Ann is scared of geese.", GROUP_KEY, id="mgone")
    owned = forget_memory(MemoriesByOwner({hers: (gone,)}), hers, gone, NOW)
    link = Entity(offset=len(SECRET) + 1, length=4, type=EntityType.TEXT_LINK, url="https://ferry.example/")
    quote = QuotedMessage(message_id=3, author=ANN, excerpt=f"{SECRET} Ferry at nine.", entities=(link,))
    entry = said("this?", BOB, 40, reply=quote)
    left = with_memories(scene(entry, agent=REMEMBERING, chat=GROUP), LoadedMemories(here=IN_GROUP, after=owned))
    found = left.entries[0]
    assert isinstance(found, Message)
    assert found.reply is not None
    assert (found.reply.excerpt, found.reply.entities) == ("Ferry at nine.", ())
