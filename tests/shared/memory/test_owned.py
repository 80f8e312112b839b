"""What is to be written to make some memories of others."""

from shared.memory.owned import OwnedMemories, changes
from shared.values.evolve import evolve
from shared.values.memory import MemoryChange
from tests.shared.examples import ANN, NOW, SECOND
from tests.shared.memory.facts import PRIVATE, fact

OWNER = PRIVATE.person(ANN.id)
TEA, NUTS = fact(id="mtea"), fact("Ann is allergic to nuts.", id="mnuts")


def test_what_is_new_gone_or_of_use_is_told_apart() -> None:
    before = OwnedMemories({OWNER: (TEA,)})
    assert list(changes(before, before)) == []
    after = before.with_own(OWNER, (NUTS,))
    assert list(changes(before, after)) == [MemoryChange(owner=OWNER, kept=(NUTS,), gone=("mtea",))]
    used = before.used({"mtea"}, NOW + SECOND)
    assert list(changes(before, used)) == [MemoryChange(owner=OWNER, used=(("mtea", NOW + SECOND),))]
    changed = evolve(TEA, text="Ann likes coffee.")
    assert list(changes(before, OwnedMemories({OWNER: (changed,)}))) == [MemoryChange(owner=OWNER, kept=(changed,))]


def test_one_is_found_with_whose_it_is() -> None:
    assert OwnedMemories({OWNER: (TEA, NUTS)}).find("mnuts") == (OWNER, NUTS)
    assert OwnedMemories().find("mnuts") is None
    assert OwnedMemories().of(OWNER) == ()
