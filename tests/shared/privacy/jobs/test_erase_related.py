"""A name that agents wrote outside of conversations is removed; the rest of the text stays."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from shared.chat.store import paths
from shared.chat.store.chats import ChatCommit
from shared.chat.store.plans import encode_plan
from shared.memory.store import FirestoreMemories
from shared.memory.tasks.remember import Remember
from shared.tasks.plan import Plan, PlannedTask
from shared.values.deletion import ERASED
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.message import Author
from shared.values.place import place_of
from tests.shared.examples import ANN, BOB, NOW, said, send
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import BOBS, ROOM, DeletionHarness, his, ours

ZED = Author(id=ANN.id, name="Zedrick Quillonby")
PERSON = MemoryOwner(scope=MemoryScope.PERSON, agent="lull", person=BOB.id)
CHAT = MemoryOwner(scope=MemoryScope.CHAT, agent="lull", chat_id=ROOM.chat_id)
AGENT = MemoryOwner(scope=MemoryScope.AGENT, agent="lull")


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


def memory(owner: MemoryOwner, name: str, text: str, place: str = "") -> Memory:
    source = MemorySource(place=place or place_of(ROOM), person=BOB.id)
    return Memory(id=name, text=text, scope=owner.scope, source=source, made_at=NOW, changed_at=NOW)


async def remembered(harness: DeletionHarness, owner: MemoryOwner) -> list[str]:
    found = await FirestoreMemories(harness.chats.client).of([owner])
    return [one.text for one in found[owner]]


async def test_others_memories_keep_all_but_the_name(harness: DeletionHarness) -> None:
    await harness.says(ROOM, said("hi", author=ZED), his("my brother is here", message_id=2))
    await harness.says(BOBS, his("hm"))
    for owner in (PERSON, CHAT, AGENT):
        kept = (memory(owner, "a", "Zedrick is a brother of Bob's."), memory(owner, "b", "Likes tea."))
        await FirestoreMemories(harness.chats.client).change([MemoryChange(owner=owner, kept=kept)])
    apart = memory(PERSON, "c", "Zedrick is a dog.", place="lull.-3")
    await FirestoreMemories(harness.chats.client).change([MemoryChange(owner=PERSON, kept=(apart,))])
    await harness.forgets()
    told = [f"{ERASED} is a brother of Bob's.", "Likes tea."]
    assert await remembered(harness, PERSON) == [*told, "Zedrick is a dog."], "elsewhere it is another's name"
    assert await remembered(harness, CHAT) == told
    assert await remembered(harness, AGENT) == told


async def test_what_somebody_else_told_of_a_chat_as_well_is_theirs(harness: DeletionHarness) -> None:
    await harness.says(ROOM, said("the wifi is called marmalade boat", author=ZED), his("so it is", message_id=2))
    hers = memory(CHAT, "a", "The wifi is called marmalade boat.")
    hers = evolve(hers, source=evolve(hers.source, person=ZED.id, name=ZED.name))
    kept = (evolve(hers, also_by=(BOB.id,)), evolve(hers, id="b"))
    memories = FirestoreMemories(harness.chats.client)
    await memories.change([MemoryChange(owner=CHAT, kept=kept)])
    await harness.forgets()
    (left,) = (await memories.of([CHAT]))[CHAT]
    assert (left.id, left.text, left.source.person, left.also_by) == ("a", hers.text, BOB.id, ())
    assert await harness.where("Quillonby") == []


async def test_what_is_planned_and_offered_for_others_goes_on_without_the_name(harness: DeletionHarness) -> None:
    await harness.says(ROOM, said("hi", author=ZED), his("and now?", message_id=2))
    tasks = (
        PlannedTask(task=send(text="Mr Quillonby brings a cake."), people=(BOB.id,)),
        PlannedTask(task=send("2", text="And tea."), people=(BOB.id,)),
    )
    document = harness.chats.client.document(paths.plan_path(ROOM))
    await document.set(encode_plan(Plan(id="p", created_at=NOW, tasks=tasks, notes=("Zedrick is left out.",))))
    effect = Remember(id="1", text="Zedrick brings a cake.").model_dump()
    boards = (
        Keyboard(id="a" * 16, choices=("Ask Zedrick", "Wait"), people=(BOB.id,), at=NOW),
        Keyboard(id="b" * 16, choices=("Remember it",), people=(BOB.id,), effects=(effect,), at=NOW),
    )
    seen = await harness.chats.see(ROOM)
    await harness.chats.commit(seen, ChatCommit(chat=seen.chat.with_part(evolve(seen.chat.talk, keyboards=boards))))
    await harness.forgets()
    left = (await document.get()).to_dict() or {}
    assert [one["task"]["text"] for one in left["tasks"]] == [f"Mr {ERASED} brings a cake.", "And tea."]
    first, second = (await harness.chats.see(ROOM)).chat.talk.keyboards
    assert (first.choices, first.people) == ((f"Ask {ERASED}", "Wait"), (BOB.id,))
    assert second.effects[0]["text"] == f"{ERASED} brings a cake."
    assert await harness.where("Zedrick", "Quillonby") == []


@pytest.mark.parametrize("is_by_hand", [True, False], ids=["a title of somebody else's", "one of a model's"])
async def test_titles_and_notes_that_models_made_go_and_what_others_named_stays(
    harness: DeletionHarness, *, is_by_hand: bool
) -> None:
    first = await harness.says(ROOM, said("hi", author=ZED, turn=1), his("no", message_id=2, turn=1), leaves=True)
    chat = await harness.says(ROOM, his("tea for two", message_id=3), ours("Tea.", message_id=4))
    assert first.conversation == chat.conversation
    document = harness.chats.client.document(f"conversations/{chat.conversation}")
    named = {"title": "Tea with Zedrick", "manually_named": is_by_hand, "people": [ANN.id, BOB.id]}
    notes = {"abbreviation": "Bob waits for Zedrick.", "topics": ["Quillonby", "tea"]}
    await document.set(named | notes, merge=True)
    await harness.forgets()
    left = await harness.document(document.path)
    assert left["title"] == ("Tea with Zedrick" if is_by_hand else "")
    assert (left["abbreviation"], left["topics"]) == ("", [])
    assert await harness.spoken(chat.conversation) == [("Bob", "tea for two"), ("lull", "Tea.")]


async def test_incidents_effects_and_addresses_of_theirs_go_from_the_chat(harness: DeletionHarness) -> None:
    words, link = "the safe opens with heron marmalade", "https://heron.example/marmalade-biscuit"
    await harness.says(ROOM, said(words, author=ZED), said(link, author=ZED, message_id=2), ours("So.", message_id=9))
    tea = ours("Tea.", message_id=4, known_links=(link, "https://tea.example"))
    chat = await harness.says(ROOM, his("and now?", message_id=3), tea)
    client = harness.chats.client
    for name, text in (("a", words), ("b", "Ask Zedrick."), ("c", "tea")):
        incident = {"chat": ROOM.id, "body": json.dumps({"tasks": [{"text": text}]}), "at": NOW}
        await client.document(paths.incident_path(name)).set(incident)
    offers = Remember(id="1", text=f"Note that {words}.").model_dump()
    board = Keyboard(id="a" * 16, choices=("Yes",), people=(BOB.id,), effects=(offers,), at=NOW)
    seen = await harness.chats.see(ROOM)
    await harness.chats.commit(seen, ChatCommit(chat=seen.chat.with_part(evolve(seen.chat.talk, keyboards=(board,)))))
    await harness.forgets()
    assert [one.id async for one in client.collection(paths.INCIDENTS).stream()] == ["c"]
    assert (await harness.chats.see(ROOM)).chat.talk.keyboards == ()
    transcript = await harness.transcripts.read(chat.conversation)
    assert transcript is not None
    links = [(e.text, e.known_links) for e in transcript.entries if e.type == "message"]
    assert links[-1] == ("Tea.", ("https://tea.example",))
    assert await harness.where("heron", "Zedrick") == []
