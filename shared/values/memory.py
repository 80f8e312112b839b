"""A memory: a fact that the agent learned, with its scope, the message that it comes from, and its date."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from shared.values.agent import CuratedMemory
from shared.values.chat_key import ChatKey
from shared.values.evolve import FrozenModel, evolve
from shared.values.origin import ConversationSpan

#: the longest memory in characters: fifty memories have to fit into a prompt beside a conversation
LONGEST_MEMORY: Final = 500


class MemoryScope(StrEnum):
    """The subject of a memory. It decides in which chats the memory may be used."""

    PERSON = "person"  #: about a person: known in every chat of the person with this agent
    CHAT = "chat"  #: about a chat: known in one place
    AGENT = "agent"  #: known to everyone who talks with the agent; only its owner can add it


class MemorySource(FrozenModel):
    """The message that a memory comes from."""

    conversation: str = ""
    seq: int = 0
    message_id: int = 0
    #: the place where it was said (`shared/values/place.py`), and the id of the person
    place: str
    person: int = 0
    #: the name of the person and the title of the group at that time, and the topic
    name: str = ""
    title: str = ""
    topic_id: int = 0


class Memory(FrozenModel):
    """A fact that the agent has learned."""

    id: str
    text: str
    scope: MemoryScope
    source: MemorySource
    made_at: datetime
    changed_at: datetime
    #: when it last helped to answer; None if never
    used_at: datetime | None = None
    #: whether the person allowed the agent to use it in groups
    is_for_groups: bool = False
    #: other places where the same fact was said
    places: tuple[str, ...] = ()
    #: ids of other people who said the same fact and also own the memory
    also_by: tuple[int, ...] = ()
    #: messages of other conversations from which it may be derived
    elsewhere: tuple[ConversationSpan, ...] = ()
    #: lull's own words for the text from outside that it contains; "" if none. If set, prompts quote the memory, and
    #: only the sender can see it
    outside: str = ""
    #: when it was forgotten, or None. A forgotten memory has no text, only the marks of its words
    #: (`shared/memory/forgotten.py`)
    forgotten_at: datetime | None = None
    marks: tuple[str, ...] = ()

    def is_known_in(self, place: str, *, is_private: bool) -> bool:
        """Return whether the memory may be shown in `place`: a chat of its person, or the chat that it is about.

        In a private chat it always may. In a group it may if it was said in that group, if the person has shared it
        with groups, or if it is one of the agent's own memories.
        """
        was_said = place in (self.source.place, *self.places)
        return is_private or self.is_for_groups or was_said or self.scope is MemoryScope.AGENT

    def without(self, person: int) -> "Memory":
        """Return the memory with `person` removed from those who stated it; unchanged if nobody else stated it."""
        others = tuple(one for one in self.also_by if one != person)
        if self.source.person == person and others:
            source = evolve(self.source, person=others[0], name="")
            return evolve(self, source=source, also_by=others[1:])
        return evolve(self, also_by=others) if others != self.also_by else self

    @property
    def useful_at(self) -> datetime:
        """The time at which the memory was last stated, changed or used."""
        return max(self.changed_at, self.used_at or self.changed_at)


@dataclass(frozen=True, kw_only=True)
class MemoryOwner:
    """The owner of memories: a person with one agent, a chat with all its topics, or the agent."""

    scope: MemoryScope
    agent: str
    person: int = 0
    chat_id: int = 0
    #: topic of a channel's direct messages (below 0), else 0
    topic_id: int = 0


def memories_of_chat(key: ChatKey) -> MemoryOwner:
    """Return the owner of a chat's memories: a group with all its topics, or one topic of direct messages."""
    return MemoryOwner(scope=MemoryScope.CHAT, agent=key.agent, chat_id=key.chat_id, topic_id=key.group.topic_id)


@dataclass(frozen=True, kw_only=True)
class MemoryWish:
    """A request in a plan to remember or forget something."""

    #: the new text; "" to forget the named memory
    text: str = ""
    #: id of the memory to change; "" for a new one
    memory: str = ""
    scope: MemoryScope = MemoryScope.PERSON
    #: None to leave it unchanged
    is_for_groups: bool | None = None
    #: id of the memory to forget to make room for the new one; "" for none
    instead_of: str = ""
    #: the message that says the fact; 0 for the message that is being answered
    message_id: int = 0
    #: messages of other conversations from which it may be derived
    elsewhere: tuple[ConversationSpan, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MemoryChange:
    """A change of one owner's memories, written field by field so that no concurrent change is lost."""

    owner: MemoryOwner
    #: new or changed memories
    kept: tuple[Memory, ...] = ()
    #: ids of removed memories; and ids of used memories, with the time of use
    gone: tuple[str, ...] = ()
    used: tuple[tuple[str, datetime], ...] = ()
    #: new marks of forgotten facts, and ids of marks removed because the fact was said again
    forgotten: tuple[Memory, ...] = ()
    renewed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class VisibleMemories:
    """The memories that may be shown in one place. The fields are in order: memories that change least come first."""

    curated: tuple[CuratedMemory, ...] = ()
    #: the agent's and the chat's, oldest first; and those of the answered people
    common: tuple[Memory, ...] = ()
    personal: tuple[Memory, ...] = ()
    #: quoted memories of the answered people: prompts tell only how many there are
    quoted: tuple[Memory, ...] = ()
    #: marks of facts that the answered people had the agent forget
    forgotten: tuple[Memory, ...] = ()

    @property
    def listed(self) -> tuple[Memory, ...]:
        """The memories that a prompt shows in full."""
        return (*self.common, *self.personal)
