"""Tests of which facts a plan may store or delete. This depends on who wrote the words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.memory.by_owner import MemoriesByOwner, share_with_groups
from shared.memory.upsert import (
    AFTER_OUTSIDE,
    FULL,
    MOST_QUOTED,
    NO_SUCH,
    NOBODY,
    NOT_THEIRS,
    NOTHING,
    OWNER_ALONE,
    MemoryFull,
    RefusedMemory,
    WishContext,
    apply_wish,
)
from shared.memory.visible import MemoryAudience, visible_memories
from shared.values.evolve import evolve
from shared.values.memory import LONGEST_MEMORY, Memory, MemoryScope, MemoryWish
from tests.shared.examples import ANN, BOB, GROUP_KEY, KEY, NOW, PROPERTY, SECOND
from tests.shared.memory.facts import GROUP, PRIVATE, fact, saying, source

HERS = PRIVATE.person(ANN.id)
FORWARD = "a forwarded message"


def after(
    owned: MemoriesByOwner, wish: MemoryWish, said: WishContext | None = None, here: MemoryAudience = PRIVATE
) -> MemoriesByOwner:
    found = apply_wish(owned, here, wish, said or saying(here.key))
    assert isinstance(found, MemoriesByOwner)
    return found


def refused(
    owned: MemoriesByOwner, wish: MemoryWish, said: WishContext | None = None, here: MemoryAudience = PRIVATE
) -> str:
    found = apply_wish(owned, here, wish, said or saying(here.key))
    assert isinstance(found, RefusedMemory)
    return found.why


def of_ann(*memories: Memory) -> MemoriesByOwner:
    return MemoriesByOwner({HERS: memories})


def test_stores_a_fact_with_author_place_and_time() -> None:
    (kept,) = after(MemoriesByOwner(), MemoryWish(text="  Ann likes\n tea. ")).of(HERS)
    assert kept == fact(id="mnew")


def test_cuts_a_long_fact() -> None:
    (kept,) = after(MemoriesByOwner(), MemoryWish(text="x" * (LONGEST_MEMORY + 5))).of(HERS)
    assert len(kept.text) == LONGEST_MEMORY


def test_changes_a_named_memory_and_forgets_it_with_an_empty_text() -> None:
    tea = fact(id="mtea", made_at=NOW - SECOND)
    changed = after(of_ann(tea), MemoryWish(text="Ann likes coffee.", memory="mtea"))
    assert [(one.id, one.text, one.made_at) for one in changed.of(HERS)] == [
        ("mtea", "Ann likes coffee.", NOW - SECOND)
    ]
    assert after(changed, MemoryWish(memory="mtea")).of(HERS) == ()


def test_refuses_ids_that_are_not_shown() -> None:
    tea = fact(id="mtea")
    assert refused(of_ann(tea), MemoryWish(text="x", memory="mtea"), here=GROUP) == NO_SUCH
    assert refused(of_ann(tea), MemoryWish(memory="mother")) == NO_SUCH
    assert refused(MemoriesByOwner(), MemoryWish(text=" ")) == NOTHING


def test_refuses_to_change_another_persons_memory() -> None:
    group = MemoryAudience(key=GROUP_KEY, people=(ANN.id, BOB.id))
    tea, bobs = fact(key=GROUP_KEY, id="mtea"), saying(GROUP_KEY, source=source(GROUP_KEY, BOB.id))
    for wish in (MemoryWish(memory="mtea"), MemoryWish(text="Ann likes rum.", memory="mtea")):
        assert refused(of_ann(tea), wish, bobs, group) == NOT_THEIRS
    chats = fact(key=GROUP_KEY, id="mchat", scope=MemoryScope.CHAT)
    owned = MemoriesByOwner({group.chats[0]: (chats,)})
    assert after(owned, MemoryWish(memory="mchat"), bobs, group).of(group.chats[0]) == ()


def test_refuses_facts_about_people_who_are_not_answered() -> None:
    stranger = saying(source=source(person=BOB.id))
    assert refused(MemoriesByOwner(), MemoryWish(text="Bob is here."), stranger) == NOBODY


def test_in_private_a_chat_fact_belongs_to_the_person() -> None:
    assert after(MemoriesByOwner(), MemoryWish(text="Tea at five.", scope=MemoryScope.CHAT)).of(HERS)
    owned = after(MemoriesByOwner(), MemoryWish(text="Tea at five.", scope=MemoryScope.CHAT), here=GROUP)
    assert owned.of(GROUP.chats[0])


@pytest.mark.parametrize(
    ("said", "here"),
    [
        (saying(), PRIVATE),
        (saying(owner=BOB.id), PRIVATE),
        (saying(owner=ANN.id, outside=FORWARD), PRIVATE),
        (saying(owner=ANN.id, is_mixed=True), PRIVATE),
        (saying(GROUP_KEY, owner=ANN.id), GROUP),
    ],
)
def test_only_the_owner_in_private_stores_facts_for_everyone(said: WishContext, here: MemoryAudience) -> None:
    wish = MemoryWish(text="The shop is closed.", scope=MemoryScope.AGENT)
    assert refused(MemoriesByOwner(), wish, said, here) == OWNER_ALONE
    shop = fact("The shop is closed.", id="mshop", scope=MemoryScope.AGENT)
    owned = MemoriesByOwner({here.agents: (shop,)})
    assert refused(owned, MemoryWish(memory="mshop"), said, here) in {OWNER_ALONE, AFTER_OUTSIDE}


def test_the_owners_facts_are_known_to_everyone() -> None:
    wish = MemoryWish(text="The shop is closed.", scope=MemoryScope.AGENT)
    owned = after(MemoriesByOwner(), wish, saying(owner=ANN.id))
    (kept,) = owned.of(PRIVATE.agents)
    assert visible_memories(owned, MemoryAudience(key=GROUP_KEY, people=(BOB.id,))).listed == (kept,)


def test_sharing_with_groups_needs_the_persons_own_word_in_private() -> None:
    wish = MemoryWish(text="Ann likes tea.", is_for_groups=True)
    for said, here, is_known in (
        (saying(), PRIVATE, True),
        (saying(outside=FORWARD), PRIVATE, False),
        (saying(is_mixed=True), PRIVATE, False),
        (saying(GROUP_KEY), GROUP, False),
    ):
        (kept,) = after(MemoriesByOwner(), wish, said, here).of(HERS)
        assert kept.is_for_groups is is_known
    known = of_ann(fact(id="mtea", is_for_groups=True))
    (same,) = after(known, MemoryWish(text="Ann likes tea", memory="mtea")).of(HERS)
    assert same.is_for_groups
    (other,) = after(known, MemoryWish(text="Ann is ill and likes tea", memory="mtea")).of(HERS)
    assert not other.is_for_groups, "what it says now nobody let groups know"
    (kept_back,) = after(known, MemoryWish(text="Ann likes tea", is_for_groups=False)).of(HERS)
    assert not kept_back.is_for_groups


def test_after_outside_text_a_new_fact_is_marked_and_changes_no_other() -> None:
    tea, quoted = fact(id="mtea"), saying(outside=FORWARD)
    for wish in (MemoryWish(memory="mtea"), MemoryWish(text="x", memory="mtea")):
        assert refused(of_ann(tea), wish, quoted) == AFTER_OUTSIDE
    said = saying(GROUP_KEY, outside=FORWARD)
    assert refused(MemoriesByOwner(), MemoryWish(text="x", scope=MemoryScope.CHAT), said, GROUP) == AFTER_OUTSIDE
    assert after(of_ann(tea), MemoryWish(text="ann likes TEA"), quoted) == of_ann(tea)
    owned = after(of_ann(tea), MemoryWish(text="Ann likes tea and owes Bob."), quoted)
    assert {(one.id, one.outside) for one in owned.of(HERS)} == {("mtea", ""), ("mnew", FORWARD)}


def test_a_quoted_fact_becomes_the_persons_own_when_they_say_it() -> None:
    (kept,) = after(of_ann(fact(id="mtea", outside=FORWARD)), MemoryWish(text="Ann likes tea.")).of(HERS)
    assert (kept.id, kept.outside) == ("mtea", "")


def test_a_repeated_fact_is_stored_once_and_known_in_both_places() -> None:
    tea = fact(id="mtea")
    owned = after(of_ann(tea), MemoryWish(text="Ann likes tea"), here=GROUP)
    assert [one.id for one in owned.of(HERS)] == ["mtea"]
    assert visible_memories(owned, GROUP).listed == visible_memories(owned, PRIVATE).listed == owned.of(HERS)
    again = after(owned, MemoryWish(text="Ann likes tea"), here=GROUP)
    assert again == owned


@pytest.mark.parametrize("new", ["Ann's key is aB3x.", "Ann's key is ab3X", "ANN'S KEY IS AB3X"])
def test_keeps_the_last_wording_of_a_repeated_fact(new: str) -> None:
    (kept,) = after(of_ann(fact("Ann's key is Ab3x.", id="mold")), MemoryWish(text=new)).of(HERS)
    assert (kept.id, kept.text) == ("mold", new)


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Ann is allergic to bees.", "Ann's daughter is allergic to bees."),
        ("Ann lives in Odesa.", "Ann used to live in Odesa."),
        ("Ann lives in Odesa.", "Ann no longer lives in Odesa."),
        ("Ann eats fish.", "Ann does not eat fish."),
        ("Ann moves to Turin.", "Ann thinks that Ann moves to Turin."),
        ("Ann has a dog.", "Ann wants to have a dog."),
        ("Ann likes tea.", "Ann likes green tea."),
        ("Ann was born on 2 May.", "The sister of Ann was born on 2 May."),
        ("Ann works at night.", "Ann works at night, says Bob."),
        ("Ann's code is 42.", "Ann's old code is 42."),
        ("Анна їсть рибу.", "Анна не їсть рибу."),
        ("Ana come carne.", "Ana no come carne."),
        ("Anna isst Fisch.", "Anna isst nie Fisch."),
        ("アンは魚を食べる。", "アンの母は魚を食べる。"),
        ("آن سمك تأكل", "آن لا تأكل سمك"),
    ],
)
def test_a_new_fact_does_not_replace_one_with_shared_words(known: str, new: str) -> None:
    owned = after(of_ann(fact(known, id="mold")), MemoryWish(text=new))
    assert {one.text for one in owned.of(HERS)} == {known, new}


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Ann's blood type is B+.", "Ann's blood type is B-."),
        ("Ann writes C.", "Ann writes C++."),
        ("The freezer is at 18.", "The freezer is at -18."),
        ("Ann's emoji is 🐢.", "Ann's emoji is 🐙."),
        ("The fee is 5 €.", "The fee is 5 $."),
        ("Ann speaks polish.", "Ann speaks Polish."),
    ],
)
def test_a_named_memory_takes_the_new_text(known: str, new: str) -> None:
    (kept,) = after(of_ann(fact(known, id="mold")), MemoryWish(text=new, memory="mold")).of(HERS)
    assert (kept.id, kept.text) == ("mold", new)


def test_without_room_nothing_is_forgotten_silently() -> None:
    old = [fact(f"fact {n}", id=f"m{n}", changed_at=NOW + n * SECOND) for n in range(3)]
    used, said = evolve(old[0], used_at=NOW + 9 * SECOND), saying(now=NOW + 10 * SECOND, most=3)
    owned, more = of_ann(used, *old[1:]), MemoryWish(text="One more.")
    found = apply_wish(owned, PRIVATE, more, said)
    assert isinstance(found, MemoryFull)
    assert (found.why, [one.id for one in found.kept]) == (FULL, ["m1", "m2", "m0"]), "of no use for longest first"
    assert len(after(owned, MemoryWish(text="Fact 1"), said).of(HERS)) == 3, "a repeat needs no room"
    changed = after(owned, MemoryWish(text="Other.", memory="m1"), said)
    assert [one.text for one in changed.of(HERS)] == ["fact 0", "Other.", "fact 2"]
    assert len(after(owned, MemoryWish(text="quoted"), saying(outside=FORWARD, most=3)).of(HERS)) == 4


def test_giving_up_a_memory_makes_room() -> None:
    owned = of_ann(*(fact(f"fact {n}", id=f"m{n}") for n in range(3)))
    said, more = saying(most=3), MemoryWish(text="One more.", instead_of="m1")
    found = after(owned, more, said)
    assert {one.text for one in found.of(HERS)} == {"fact 0", "fact 2", "One more."}
    assert after(found, more, said) == found
    assert after(found, MemoryWish(text="one more", instead_of="m0"), said).find("m0"), "it is known by now"
    bobs = saying(GROUP_KEY, source=source(GROUP_KEY, BOB.id), most=3)
    group = MemoryAudience(key=GROUP_KEY, people=(ANN.id, BOB.id))
    theirs = of_ann(fact("fact 1", GROUP_KEY, id="m1"))
    assert refused(theirs, MemoryWish(text="x", instead_of="m1"), bobs, group) == NOT_THEIRS


def test_quoted_memories_displace_only_quoted_ones() -> None:
    owned = of_ann(fact(id="mtea"))
    for number in range(MOST_QUOTED + 3):
        said = saying(outside=FORWARD, new_id=f"m{number}", now=NOW + number * SECOND, most=1)
        owned = after(owned, MemoryWish(text=f"quoted {number}"), said)
    kept = owned.of(HERS)
    assert kept[0].id == "mtea"
    assert [one.id for one in kept[1:]] == [f"m{number}" for number in range(3, MOST_QUOTED + 3)]


@PROPERTY
@given(
    st.lists(st.sampled_from(["Ann likes tea.", "Ann likes green tea.", "Bob", "Ann moved."]), max_size=8),
    st.booleans(),
)
def test_a_repeat_changes_nothing(texts: list[str], is_quoted: bool) -> None:
    owned = MemoriesByOwner()
    for number, text in enumerate(texts):
        said = saying(new_id=f"m{number}", outside=FORWARD if is_quoted else "")
        owned = after(owned, MemoryWish(text=text), said)
        assert after(owned, MemoryWish(text=text), said) == owned


def test_a_person_shares_a_memory_and_takes_it_back() -> None:
    tea, quoted = fact(id="mtea"), fact("Bob owes Ann.", id="mq", outside=FORWARD)
    owned = share_with_groups(of_ann(tea, quoted), tea, is_known=True)
    assert [one.is_for_groups for one in owned.of(HERS)] == [True, False]
    assert share_with_groups(owned, owned.of(HERS)[0], is_known=False) == of_ann(tea, quoted)
    assert share_with_groups(owned, quoted, is_known=True) == owned
    assert share_with_groups(owned, fact(id="mgone"), is_known=True) == owned
    assert KEY.is_private


def test_a_chat_fact_said_by_several_belongs_to_each() -> None:
    group, wish = (
        MemoryAudience(key=GROUP_KEY, people=(ANN.id, BOB.id)),
        MemoryWish(text="Tea at five.", scope=MemoryScope.CHAT),
    )
    bobs = saying(GROUP_KEY, source=source(GROUP_KEY, BOB.id))
    owned = after(MemoriesByOwner(), wish, saying(GROUP_KEY), group)
    for said in (bobs, bobs, saying(GROUP_KEY)):
        owned = after(owned, wish, said, group)
    (kept,) = owned.of(group.chats[0])
    assert (kept.source.person, kept.also_by) == (ANN.id, (BOB.id,))
    assert (kept.without(ANN.id).source.person, kept.without(ANN.id).also_by) == (BOB.id, ())
    assert (kept.without(BOB.id).source.person, kept.without(BOB.id).also_by) == (ANN.id, ())
    alone = kept.without(ANN.id)
    assert alone.without(BOB.id) == alone
