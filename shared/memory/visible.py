"""Which memories are shown where, and to whom: the one rule that prompts, `recall_facts` and `/memories` follow."""

from collections.abc import Iterator
from dataclasses import dataclass

from shared.memory.by_owner import MemoriesByOwner
from shared.values.agent import CuratedMemory
from shared.values.chat_key import ChatKey
from shared.values.memory import Memory, MemoryOwner, MemoryScope, VisibleMemories, memories_of_chat
from shared.values.place import place_of


@dataclass(frozen=True, kw_only=True)
class MemoryAudience:
    """Where something is shown, and to whom."""

    key: ChatKey
    #: the id that the group had before it was a supergroup; 0: it has always had this one
    moved_from: int = 0
    #: the ids of those who are answered
    people: tuple[int, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """The place, by its id now and the one before."""
        before = ChatKey(agent=self.key.agent, chat_id=self.moved_from)
        return (place_of(self.key), *((place_of(before),) if self.moved_from else ()))

    @property
    def agents(self) -> MemoryOwner:
        """The agent itself."""
        return MemoryOwner(scope=MemoryScope.AGENT, agent=self.key.agent)

    @property
    def chats(self) -> tuple[MemoryOwner, ...]:
        """The group, by its id now and the one before; a private chat is its person's."""
        if self.key.is_private:
            return ()
        before = (ChatKey(agent=self.key.agent, chat_id=self.moved_from),) if self.moved_from else ()
        return tuple(map(memories_of_chat, (self.key, *before)))

    def person(self, person: int) -> MemoryOwner:
        """One of the people."""
        return MemoryOwner(scope=MemoryScope.PERSON, agent=self.key.agent, person=person)

    @property
    def owners(self) -> tuple[MemoryOwner, ...]:
        """Everybody whose memories may be shown: one document each."""
        return (self.agents, *self.chats, *(self.person(one) for one in self.known_people))

    @property
    def known_people(self) -> tuple[int, ...]:
        """Those who are answered and are people; in a private chat nobody but whose it is, whose id is the chat's."""
        is_private, ids = self.key.is_private, dict.fromkeys(self.people)
        return tuple(one for one in ids if one > 0 and (not is_private or one == self.key.chat_id))


def visible_memories(
    owned: MemoriesByOwner, here: MemoryAudience, curated: tuple[CuratedMemory, ...] = ()
) -> VisibleMemories:
    """What may be shown here of all memories there are, whoever's they are."""
    seen = tuple(_visible(owned, here))
    personal = tuple(one for one in seen if one.scope is MemoryScope.PERSON)
    whose = here.known_people if here.key.is_private else ()
    return VisibleMemories(
        curated=tuple(one for one in curated if one.person in (0, *whose)),
        common=tuple(one for one in seen if one.scope is not MemoryScope.PERSON and not one.outside),
        personal=tuple(one for one in personal if not one.outside),
        quoted=tuple(one for one in personal if one.outside),
        forgotten=tuple(one for owner in here.owners for one in owned.forgotten(owner)),
    )


def _visible(owned: MemoriesByOwner, here: MemoryAudience) -> Iterator[Memory]:
    for owner in here.owners:
        for memory in owned.of(owner):
            if memory.scope is owner.scope and any(
                memory.is_known_in(place, is_private=here.key.is_private) for place in here.places
            ):
                yield memory
