"""A memory: a fact that was learned, with its scope, its source message and its date."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


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
    #: where it was said (`shared/models/place.py`), and by whom
    place: str
    person: int = 0


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
    #: what of it is from outside, in lull's own words: then it is the sender's alone, marked as quoted; empty: nothing
    outside: str = ""

    def is_known_in(self, place: str, *, is_private: bool) -> bool:
        """Whether it is shown in a place, of its own person or chat: what was said elsewhere is not told to a group.

        In private it is known to its person wherever they said it.
        """
        return is_private or self.is_for_groups or self.source.place == place or self.scope is MemoryScope.AGENT
