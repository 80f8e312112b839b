"""Tests of loaded memories, and of finding the person whose wish a plan carries out."""

from datetime import timedelta

from shared.memory.by_owner import MemoriesByOwner
from shared.memory.loaded import LoadedMemories, PlanContext, new_id
from shared.memory.upsert import NOBODY, RefusedMemory
from shared.memory.visible import MemoryAudience
from shared.values.memory import MemoryWish
from tests.shared.examples import ANN, BOB, GROUP_KEY, NOW, said
from tests.shared.memory.facts import PRIVATE, fact

HERS = PRIVATE.person(ANN.id)
TOLD = PlanContext(plan="p1", now=NOW)
GROUP = LoadedMemories(here=MemoryAudience(key=GROUP_KEY, people=(ANN.id, BOB.id)), title="Garden")


def test_a_wish_belongs_to_the_answered_person() -> None:
    found = LoadedMemories(here=PRIVATE).with_wish(MemoryWish(text="Ann likes tea."), (said("tea!"),), "1", TOLD)
    assert isinstance(found, LoadedMemories)
    (kept,) = found.after.of(HERS)
    assert (kept.id, kept.source.person, kept.source.message_id, kept.source.name) == (
        new_id("p1", "1"),
        ANN.id,
        1,
        "Ann",
    )
    assert found.texts == {kept.id: "Ann likes tea."}
    assert found.before == MemoriesByOwner()


def test_of_several_people_the_named_message_decides() -> None:
    answered = (said("tea!", ANN, 1), said("rum!", BOB, 2))
    assert GROUP.with_wish(MemoryWish(text="x"), answered, "1", TOLD) == RefusedMemory(NOBODY)
    assert GROUP.with_wish(MemoryWish(text="x", message_id=7), answered, "1", TOLD) == RefusedMemory(NOBODY)
    found = GROUP.with_wish(MemoryWish(text="Bob likes rum.", message_id=2), answered, "1", TOLD)
    assert isinstance(found, LoadedMemories)
    (kept,) = found.after.of(GROUP.here.person(BOB.id))
    assert (kept.source.person, kept.source.title) == (BOB.id, "Garden")


def test_of_one_person_any_message_id_means_them() -> None:
    found = GROUP.with_wish(MemoryWish(text="x", message_id=7), (said("tea!", ANN, 1),), "1", TOLD)
    assert isinstance(found, LoadedMemories)
    assert found.after.of(GROUP.here.person(ANN.id))


def test_marks_use_once_a_day() -> None:
    tea, nuts = fact("Ann drinks jasmine tea.", id="mtea"), fact("Ann is allergic to peanuts.", id="mnuts")
    found = LoadedMemories(
        here=PRIVATE, before=MemoriesByOwner({HERS: (tea, nuts)}), after=MemoriesByOwner({HERS: (tea, nuts)})
    )
    later = NOW + timedelta(days=2)
    used = found.with_use("No peanuts for allergic people!", "a cake?", frozenset(), later)
    assert [one.used_at for one in used.after.of(HERS)] == [None, later]
    assert found.with_use("No peanuts for allergic people!", "peanuts? allergic?", frozenset(), later) == found
    assert found.with_use("No peanuts for allergic people!", "a cake?", frozenset(), NOW) == found, "it is new"
    looked_up = found.with_use("", "", frozenset({"mtea", "mother"}), later)
    assert [one.used_at for one in looked_up.after.of(HERS)] == [later, None]
