"""A memory: a fact that was learned, with its scope, its source message and its date; and those shown in one place."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from shared.values.agent import CuratedMemory
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.origin import ConversationSpan

#: characters of a memory: one fact, and fifty of them have to fit beside a conversation
LONGEST_MEMORY: Final = 500


class MemoryScope(StrEnum):
    """Whom a memory is about, and so where it is known."""

    PERSON = "person"  #: it follows the person into every chat with this agent
    CHAT = "chat"  #: it belongs to one place
    AGENT = "agent"  #: the agent's everywhere: only its owner says such


class MemorySource(BaseModel):
    """The message that a memory comes from."""

    model_config = ConfigDict(frozen=True)

    conversation: str = ""
    seq: int = 0
    message_id: int = 0
    #: where it was said (`shared/values/place.py`), and by whom
    place: str
    person: int = 0
    #: what that person and, if it was a group, the group were called then; and in which topic it was said
    name: str = ""
    title: str = ""
    topic_id: int = 0


class Memory(BaseModel):
    """A fact that was learned."""

    model_config = ConfigDict(frozen=True)

    id: str
    text: str
    scope: MemoryScope
    source: MemorySource
    made_at: datetime
    changed_at: datetime
    #: when it last helped to answer; none: not yet
    used_at: datetime | None = None
    #: whether its person wants it to be known in groups, too, though they said it elsewhere
    is_for_groups: bool = False
    #: other places where the same was said
    places: tuple[str, ...] = ()
    #: the ids of others who said the same: it is theirs as well
    also_by: tuple[int, ...] = ()
    #: the messages of other conversations that it may be made of
    elsewhere: tuple[ConversationSpan, ...] = ()
    #: what of it is from outside, in lull's own words: then it is the sender's alone, marked as quoted; empty: nothing
    outside: str = ""
    #: when it was forgotten: then it says nothing, and has the marks of its words (`shared/memory/forgotten.py`)
    forgotten_at: datetime | None = None
    marks: tuple[str, ...] = ()

    def is_known_in(self, place: str, *, is_private: bool) -> bool:
        """Whether it is shown in a place, of its own person or chat: what was said elsewhere is not told to a group.

        In private it is known to its person wherever they said it.
        """
        was_said = place in (self.source.place, *self.places)
        return is_private or self.is_for_groups or was_said or self.scope is MemoryScope.AGENT

    def without(self, person: int) -> "Memory":
        """It as it is without one of those who said it; the same one where that is the only one, or none of them."""
        others = tuple(one for one in self.also_by if one != person)
        if self.source.person == person and others:
            source = evolve(self.source, person=others[0], name="")
            return evolve(self, source=source, also_by=others[1:])
        return evolve(self, also_by=others) if others != self.also_by else self

    @property
    def useful_at(self) -> datetime:
        """When it was last said, changed or of use."""
        return max(self.changed_at, self.used_at or self.changed_at)


@dataclass(frozen=True, kw_only=True)
class MemoryOwner:
    """Whose some memories are: a person's with one agent, one chat's with all its topics, or the agent's."""

    scope: MemoryScope
    agent: str
    person: int = 0
    chat_id: int = 0
    #: below 0: the topic of a channel's direct messages whose they are; else 0
    topic_id: int = 0


def memories_of_chat(key: ChatKey) -> MemoryOwner:
    """The owner of what belongs to a chat: to a group with all its topics, or to one topic of direct messages."""
    return MemoryOwner(scope=MemoryScope.CHAT, agent=key.agent, chat_id=key.chat_id, topic_id=key.group.topic_id)


@dataclass(frozen=True, kw_only=True)
class MemoryWish:
    """What a plan wants remembered or forgotten."""

    #: empty: the memory that is named is forgotten
    text: str = ""
    #: the id of the memory that is changed; empty: it is a new one
    memory: str = ""
    scope: MemoryScope = MemoryScope.PERSON
    #: none: as it is
    is_for_groups: bool | None = None
    #: the id of the one that is forgotten for it, as there is no room for both; empty: none
    instead_of: str = ""
    #: the message that says so; 0: whatever is answered
    message_id: int = 0
    #: the messages of other conversations that it may be made of
    elsewhere: tuple[ConversationSpan, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MemoryChange:
    """What changes of one owner's memories. It is written field by field, so that no other change is lost by it."""

    owner: MemoryOwner
    #: as they are from now on
    kept: tuple[Memory, ...] = ()
    #: the ids of those that are forgotten, and of those that were of use, with the moment
    gone: tuple[str, ...] = ()
    used: tuple[tuple[str, datetime], ...] = ()
    #: marks of what was forgotten, and the ids of those that are no more, as it was said anew
    forgotten: tuple[Memory, ...] = ()
    renewed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class VisibleMemories:
    """What is shown in one place: first what changes least."""

    curated: tuple[CuratedMemory, ...] = ()
    #: the agent's and the chat's, oldest first; and those of whoever is answered
    common: tuple[Memory, ...] = ()
    personal: tuple[Memory, ...] = ()
    #: of those people, what words from outside asked to remember: prompts tell only how many they are
    quoted: tuple[Memory, ...] = ()
    #: marks of what these had forgotten
    forgotten: tuple[Memory, ...] = ()

    @property
    def listed(self) -> tuple[Memory, ...]:
        """Those that a prompt shows."""
        return (*self.common, *self.personal)
