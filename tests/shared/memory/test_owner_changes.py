"""Tests of what the agent's owner may change in the console."""

import pytest

from shared.memory.by_owner import MemoriesByOwner, memory_changes
from shared.memory.forgotten import forget_memory
from shared.memory.owner_changes import (
    ADOPT_FIRST,
    EMPTY,
    GONE,
    KNOWN_ALREADY,
    NO_ROOM,
    NOT_SAID_THERE,
    NOT_THEIR_WORDS,
    NOT_YOUR_WORDS,
    THERE_ALREADY,
    TOO_LONG,
    OwnerChange,
    adopt_memory,
    delete_memory,
    edit_memory,
    move_memory,
    put_memory_back,
)
from shared.memory.upsert import RefusedMemory
from shared.memory.visible import visible_memories
from shared.values.evolve import evolve
from shared.values.memory import LONGEST_MEMORY, Memory, MemoryScope
from tests.shared.examples import ANN, BOB, GROUP_KEY, NOW, SECOND
from tests.shared.memory.facts import GROUP, PRIVATE, fact, source

HERS, EVERYONE, THE_GROUP = PRIVATE.person(ANN.id), PRIVATE.agents, GROUP.chats[0]
LATER = NOW + SECOND
TEA, NUTS = fact(id="mtea"), fact("Ann is allergic to nuts.", id="mnuts")


def of_ann(*memories: Memory) -> MemoriesByOwner:
    return MemoriesByOwner({HERS: memories, EVERYONE: (), THE_GROUP: ()})


def kept(found: OwnerChange) -> MemoriesByOwner:
    assert isinstance(found, MemoriesByOwner), found
    return found


def why(found: OwnerChange) -> str:
    assert isinstance(found, RefusedMemory)
    return found.why


def test_an_edit_keeps_where_the_fact_was_said() -> None:
    found = kept(edit_memory(of_ann(TEA, NUTS), "mtea", " Ann likes  green tea. ", LATER))
    assert set(found.of(HERS)) == {NUTS, evolve(TEA, text="Ann likes green tea.", changed_at=LATER)}


def test_groups_do_not_see_another_fact_than_the_person_allowed() -> None:
    shared = evolve(TEA, is_for_groups=True)
    same = kept(edit_memory(of_ann(shared), "mtea", "Ann likes tea", LATER)).of(HERS)
    assert [one.is_for_groups for one in same] == [True]
    other = kept(edit_memory(of_ann(shared), "mtea", "Ann takes insulin.", LATER)).of(HERS)
    assert [one.is_for_groups for one in other] == [False]


@pytest.mark.parametrize(
    ("text", "reason"),
    [(" ", EMPTY), ("x" * (LONGEST_MEMORY + 1), TOO_LONG), ("Ann is allergic to nuts", KNOWN_ALREADY)],
)
def test_an_edit_may_be_refused(text: str, reason: str) -> None:
    assert why(edit_memory(of_ann(TEA, NUTS), "mtea", text, LATER)) == reason
    assert why(edit_memory(of_ann(), "mtea", "Ann likes tea.", LATER)) == GONE


def test_a_deleted_memory_is_not_learnt_again_unless_it_is_put_back() -> None:
    owned = of_ann(TEA, NUTS)
    gone = kept(delete_memory(owned, "mtea", LATER))
    assert gone.of(HERS) == (NUTS,)
    assert [one.id for one in visible_memories(gone, PRIVATE).forgotten] == ["mtea"]
    assert gone == forget_memory(owned, HERS, TEA, LATER)
    back = kept(put_memory_back(gone, HERS, TEA))
    assert set(back.of(HERS)) == {TEA, NUTS}
    assert back.forgotten_marks(HERS) == ()
    (change,) = memory_changes(gone, back)
    assert (change.kept, change.renewed) == ((TEA,), ("mtea",))
    assert why(delete_memory(gone, "mtea", LATER)) == GONE


def test_a_quoted_memory_is_adopted_if_there_is_room() -> None:
    quoted = fact("Ann lives in Kyiv.", id="mkyiv", outside="a forwarded message")
    owned = of_ann(TEA, quoted)
    adopted = kept(adopt_memory(owned, "mkyiv", LATER))
    assert adopted.find("mkyiv") == (HERS, evolve(quoted, outside="", changed_at=LATER))
    assert why(adopt_memory(owned, "mkyiv", LATER, most=1)) == NO_ROOM
    assert why(adopt_memory(owned, "mtea", LATER)) != ""
    assert why(move_memory(owned, "mkyiv", EVERYONE, ANN.id)) == ADOPT_FIRST


def test_only_what_the_owner_said_becomes_known_to_everyone() -> None:
    assert why(move_memory(of_ann(TEA), "mtea", EVERYONE, BOB.id)) == NOT_YOUR_WORDS
    assert why(move_memory(of_ann(TEA), "mtea", EVERYONE, 0)) == NOT_YOUR_WORDS
    moved = kept(move_memory(of_ann(TEA), "mtea", EVERYONE, ANN.id))
    assert (moved.of(HERS), [one.scope for one in moved.of(EVERYONE)]) == ((), [MemoryScope.AGENT])
    assert moved.forgotten_marks(HERS) == (), "the fact was not forgotten"
    assert [one.text for one in visible_memories(moved, GROUP).common] == [TEA.text]


def test_what_was_said_in_private_reaches_no_group_by_a_move() -> None:
    assert why(move_memory(of_ann(TEA), "mtea", THE_GROUP, BOB.id)) == NOT_SAID_THERE
    for allowed in (evolve(TEA, is_for_groups=True), evolve(TEA, source=source(GROUP_KEY))):
        moved = kept(move_memory(of_ann(allowed), "mtea", THE_GROUP, BOB.id))
        assert [one.text for one in visible_memories(moved, GROUP).common] == [TEA.text]


def test_a_fact_of_a_group_is_moved_only_to_a_person_who_said_it() -> None:
    said = fact(key=GROUP_KEY, id="mtea", scope=MemoryScope.CHAT, also_by=(BOB.id,))
    owned = MemoriesByOwner({THE_GROUP: (said,), HERS: (), GROUP.person(BOB.id): (), GROUP.person(7): ()})
    assert why(move_memory(owned, "mtea", GROUP.person(7), ANN.id)) == NOT_THEIR_WORDS
    assert why(move_memory(owned, "mtea", THE_GROUP, ANN.id)) == THERE_ALREADY
    moved = kept(move_memory(owned, "mtea", GROUP.person(BOB.id), ANN.id))
    (his,) = moved.of(GROUP.person(BOB.id))
    assert (his.scope, his.source.person, his.also_by) == (MemoryScope.PERSON, BOB.id, ())
    assert visible_memories(moved, GROUP).common == ()


def test_a_move_is_undone() -> None:
    owned = of_ann(TEA)
    moved = kept(move_memory(owned, "mtea", EVERYONE, ANN.id))
    back = kept(put_memory_back(moved, HERS, TEA))
    assert (back.of(HERS), back.of(EVERYONE)) == ((TEA,), ())


def test_a_move_needs_room_and_repeats_nothing() -> None:
    known = fact("Ann likes tea", id="mother", scope=MemoryScope.AGENT)
    owned = MemoriesByOwner({HERS: (TEA, NUTS), EVERYONE: (known,)})
    assert why(move_memory(owned, "mtea", EVERYONE, ANN.id)) == KNOWN_ALREADY
    assert why(move_memory(owned, "mnuts", EVERYONE, ANN.id, most=1)) == NO_ROOM
