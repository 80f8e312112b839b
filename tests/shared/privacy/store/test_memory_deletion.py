"""Memories that are deleted, in the real Firestore."""

from shared.chat.store.chats import FirestoreChats
from shared.memory.store import FirestoreMemories
from shared.privacy.store.person_deletion import FirestorePersonDeletion
from shared.values.evolve import evolve
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from tests.shared.examples import NOW

OWNER = MemoryOwner(scope=MemoryScope.AGENT, agent="lull")


async def test_those_go_of_which_it_is_true(chats: FirestoreChats) -> None:
    source = MemorySource(place="p", person=7)
    kept = [
        Memory(id=name, text=name, scope=OWNER.scope, source=source, made_at=NOW, changed_at=NOW) for name in ("a", "b")
    ]
    memories = FirestoreMemories(chats.client)
    assert await FirestorePersonDeletion(chats.client).delete_memories(OWNER, lambda _: True) == 0
    await memories.change([MemoryChange(owner=OWNER, kept=tuple(kept), used=(("a", NOW),))])
    assert await FirestorePersonDeletion(chats.client).delete_memories(OWNER, lambda one: one.id == "a") == 1
    assert [one.id for one in (await memories.of([OWNER]))[OWNER]] == ["b"]


async def test_marks_of_what_was_forgotten_go_as_well(chats: FirestoreChats) -> None:
    source = MemorySource(place="p", person=7)
    plain = Memory(id="a", text="", scope=OWNER.scope, source=source, made_at=NOW, changed_at=NOW)
    marks = tuple(evolve(plain, id=name, forgotten_at=NOW, marks=("x",)) for name in ("a", "b"))
    memories = FirestoreMemories(chats.client)
    await memories.change([MemoryChange(owner=OWNER, forgotten=marks)])
    assert await FirestorePersonDeletion(chats.client).delete_memories(OWNER, lambda one: one.id == "a") == 0, (
        "nothing was remembered any more"
    )
    assert [one.id for one in (await memories.of([OWNER]))[OWNER]] == ["b"]
