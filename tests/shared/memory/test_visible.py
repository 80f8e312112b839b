"""Property tests of which memories are visible to whom, over many people, chats and memories."""

from hypothesis import given
from hypothesis import strategies as st

from shared.memory.by_owner import MemoriesByOwner
from shared.memory.visible import MemoryAudience, visible_memories
from shared.values.agent import CuratedMemory
from shared.values.chat_key import ChatKey
from shared.values.memory import Memory, MemoryOwner, MemoryScope
from shared.values.place import place_of
from tests.shared.examples import PROPERTY
from tests.shared.memory.facts import fact, source

PEOPLE, GROUPS, AGENTS = (11, 12, 13), (-101, -102, -103), ("lull", "moss")
AGENT_IDS = st.sampled_from(AGENTS)


@st.composite
def keys(draw: st.DrawFn) -> ChatKey:
    """Draw the key of a private chat or a group, with or without a topic."""
    chat_id = draw(st.sampled_from((*PEOPLE, *GROUPS)))
    return ChatKey(agent=draw(AGENT_IDS), chat_id=chat_id, topic_id=draw(st.sampled_from((0, 7))))


@st.composite
def kept(draw: st.DrawFn) -> tuple[MemoryOwner, Memory]:
    """Draw a memory with its owner."""
    said_in, scope, person = draw(keys()), draw(st.sampled_from(MemoryScope)), draw(st.sampled_from(PEOPLE))
    if said_in.is_private:
        person = said_in.chat_id
    owner = MemoryOwner(
        scope=scope,
        agent=said_in.agent,
        person=person if scope is MemoryScope.PERSON else 0,
        chat_id=said_in.chat_id if scope is MemoryScope.CHAT else 0,
    )
    number = draw(st.integers(0, 10**6))
    return owner, fact(
        f"secret {number}",
        id=f"m{number}",
        scope=scope,
        source=source(said_in, person),
        is_for_groups=draw(st.booleans()),
        places=tuple(draw(st.lists(keys().map(place_of), max_size=2))),
        outside=draw(st.sampled_from(("", "a forwarded message"))),
    )


@st.composite
def worlds(draw: st.DrawFn) -> MemoriesByOwner:
    """Draw the memories of all owners."""
    owned = MemoriesByOwner()
    for owner, memory in draw(st.lists(kept(), max_size=12, unique_by=lambda one: one[1].id)):
        owned = owned.with_own(owner, (*owned.of(owner), memory))
    return owned


@PROPERTY
@given(worlds(), keys(), st.lists(st.sampled_from(PEOPLE), max_size=3))
def test_nobody_sees_a_memory_they_may_not_know(world: MemoriesByOwner, key: ChatKey, people: list[int]) -> None:
    here = MemoryAudience(key=key, people=tuple(people))
    known = visible_memories(world, here)
    for memory in (*known.listed, *known.quoted):
        found = world.find(memory.id)
        assert found is not None
        owner = found[0]
        assert owner.agent == key.agent, "another agent's"
        if owner.scope is MemoryScope.CHAT:
            assert owner.chat_id == key.chat_id, "another chat's"
        if owner.scope is MemoryScope.PERSON:
            assert owner.person in people, "of somebody who is not answered"
            if key.is_private:
                assert owner.person == key.chat_id, "of somebody else than whose chat it is"
            else:
                was_said_here = place_of(key) in (memory.source.place, *memory.places)
                assert memory.is_for_groups or was_said_here, "told to a group that was told elsewhere"
    assert not any(one.outside for one in known.listed), "words from outside in a prompt"


@PROPERTY
@given(worlds(), st.sampled_from(PEOPLE), AGENT_IDS)
def test_in_private_a_person_sees_all_memories_about_them(world: MemoriesByOwner, person: int, agent: str) -> None:
    here = MemoryAudience(key=ChatKey(agent=agent, chat_id=person), people=(person,))
    known = visible_memories(world, here)
    assert set(world.of(here.person(person))) == {*known.personal, *known.quoted}


def test_a_supergroup_keeps_the_groups_memories() -> None:
    old, new = ChatKey(agent="lull", chat_id=-5), ChatKey(agent="lull", chat_id=-1005)
    here = MemoryAudience(key=new, moved_from=-5, people=(11,))
    of_chat, of_ann = fact("one", old, id="m1", scope=MemoryScope.CHAT), fact("two", old, id="m2")
    owned = MemoriesByOwner({here.chats[1]: (of_chat,), here.person(11): (of_ann,)})
    assert visible_memories(owned, here).listed == (of_chat, of_ann)
    assert here.chats[0].chat_id == -1005, "what is new is kept under the new id"


def test_a_personas_memory_of_a_person_is_shown_only_in_their_chat() -> None:
    everyone, of_ann, of_bob = (CuratedMemory(person=one, text=f"of {one}") for one in (0, 11, 12))
    curated = (everyone, of_ann, of_bob)
    private = MemoryAudience(key=ChatKey(agent="lull", chat_id=11), people=(11,))
    group = MemoryAudience(key=ChatKey(agent="lull", chat_id=-101), people=(11, 12))
    assert visible_memories(MemoriesByOwner(), private, curated).curated == (everyone, of_ann)
    assert visible_memories(MemoriesByOwner(), group, curated).curated == (everyone,)


def test_a_channel_owns_no_memories() -> None:
    here = MemoryAudience(key=ChatKey(agent="lull", chat_id=-101), people=(-100_7, 11, 11))
    assert [owner.person for owner in here.owners if owner.scope is MemoryScope.PERSON] == [11]
