"""A transcript as it is archived: everything that is kept of one conversation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.models.chat import Chat
from shared.models.message import AnyEntry, Message
from shared.models.prompt import CompressionSummary


class Vector(tuple[float, ...]):
    """A document's vector, which is another thing than a list of numbers."""

    __slots__ = ()


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """One conversation: its id, its own document as it is stored, its chat, and its entries in order."""

    conversation: str
    document: Mapping[str, Any] = field(default_factory=dict)
    #: the chat that it belongs to, whichever its current conversation is; none if the chat moved away
    chat: Chat | None = None
    entries: tuple[AnyEntry, ...] = ()
    #: what stands in prompts for its older part; those that it replaced are in it
    compression: CompressionSummary | None = None

    @property
    def seq(self) -> int:
        """The number of the newest entry; 0 of an empty one."""
        return max((entry.seq for entry in self.entries), default=0)

    @property
    def turn(self) -> int:
        """The number of the newest turn; 0 if nobody has said anything."""
        return max((entry.turn for entry in self.entries if isinstance(entry, Message)), default=0)
