"""Tests of the differences between two states of memories."""

from shared.memory.by_owner import MemoriesByOwner, memory_changes
from shared.values.evolve import evolve
from shared.values.memory import MemoryChange
from tests.shared.examples import ANN, NOW, SECOND
from tests.shared.memory.facts import PRIVATE, fact

OWNER = PRIVATE.person(ANN.id)
TEA, NUTS = fact(id="mtea"), fact("Ann is allergic to nuts.", id="mnuts")


def test_separates_new_removed_and_used_memories() -> None:
    before = MemoriesByOwner({OWNER: (TEA,)})
    assert list(memory_changes(before, before)) == []
    after = before.with_own(OWNER, (NUTS,))
    assert list(memory_changes(before, after)) == [MemoryChange(owner=OWNER, kept=(NUTS,), gone=("mtea",))]
    used = before.with_use({"mtea"}, NOW + SECOND)
    assert list(memory_changes(before, used)) == [MemoryChange(owner=OWNER, used=(("mtea", NOW + SECOND),))]
    changed = evolve(TEA, text="Ann likes coffee.")
    assert list(memory_changes(before, MemoriesByOwner({OWNER: (changed,)}))) == [
        MemoryChange(owner=OWNER, kept=(changed,))
    ]


def test_finds_a_memory_with_its_owner() -> None:
    assert MemoriesByOwner({OWNER: (TEA, NUTS)}).find("mnuts") == (OWNER, NUTS)
    assert MemoriesByOwner().find("mnuts") is None
    assert MemoriesByOwner().of(OWNER) == ()
