"""Decides which memories are visible in which chat, and to whom. Prompts, `recall_facts` and `/memories` all use it."""

from collections.abc import Iterator
from dataclasses import dataclass

from shared.memory.by_owner import MemoriesByOwner
from shared.values.agent import CuratedMemory
from shared.values.chat_key import ChatKey
from shared.values.memory import Memory, MemoryOwner, MemoryScope, VisibleMemories, memories_of_chat
from shared.values.place import place_of


@dataclass(frozen=True, kw_only=True)
class MemoryAudience:
    """The chat in which memories are shown, and the people who are answered."""

    key: ChatKey
    #: the id that the group had before it became a supergroup; 0 if it did not become one
    moved_from: int = 0
    #: ids of the people who are answered
    people: tuple[int, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """The chat's place (`shared/values/place.py`), and the one that it had before it became a supergroup."""
        before = ChatKey(agent=self.key.agent, chat_id=self.moved_from)
        return (place_of(self.key), *((place_of(before),) if self.moved_from else ()))

    @property
    def agents(self) -> MemoryOwner:
        """The owner of the memories that everyone may know: the agent itself."""
        return MemoryOwner(scope=MemoryScope.AGENT, agent=self.key.agent)

    @property
    def chats(self) -> tuple[MemoryOwner, ...]:
        """The group as the owner of its memories, once for each id that it has or had; () in a private chat."""
        if self.key.is_private:
            return ()
        before = (ChatKey(agent=self.key.agent, chat_id=self.moved_from),) if self.moved_from else ()
        return tuple(map(memories_of_chat, (self.key, *before)))

    def person(self, person: int) -> MemoryOwner:
        """Return the `MemoryOwner` of what this agent remembers about a person."""
        return MemoryOwner(scope=MemoryScope.PERSON, agent=self.key.agent, person=person)

    @property
    def owners(self) -> tuple[MemoryOwner, ...]:
        """All owners whose memories may be visible. Each of them has one document."""
        return (self.agents, *self.chats, *(self.person(one) for one in self.known_people))

    @property
    def known_people(self) -> tuple[int, ...]:
        """The answered people. In a private chat, only the person whose chat it is."""
        is_private, ids = self.key.is_private, dict.fromkeys(self.people)
        return tuple(one for one in ids if one > 0 and (not is_private or one == self.key.chat_id))


def visible_memories(
    owned: MemoriesByOwner, audience: MemoryAudience, curated: tuple[CuratedMemory, ...] = ()
) -> VisibleMemories:
    """Return the memories that may be shown to an audience."""
    seen = tuple(_visible(owned, audience))
    personal = tuple(one for one in seen if one.scope is MemoryScope.PERSON)
    whose = audience.known_people if audience.key.is_private else ()
    return VisibleMemories(
        curated=tuple(one for one in curated if one.person in (0, *whose)),
        common=tuple(one for one in seen if one.scope is not MemoryScope.PERSON and not one.outside),
        personal=tuple(one for one in personal if not one.outside),
        quoted=tuple(one for one in personal if one.outside),
        forgotten=tuple(one for owner in audience.owners for one in owned.forgotten_marks(owner)),
    )


def _visible(owned: MemoriesByOwner, audience: MemoryAudience) -> Iterator[Memory]:
    for owner in audience.owners:
        for memory in owned.of(owner):
            if memory.scope is owner.scope and any(
                memory.is_known_in(place, is_private=audience.key.is_private) for place in audience.places
            ):
                yield memory
