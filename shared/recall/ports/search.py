"""Values of a search in segments of conversations, by their terms and by their vectors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from shared.values.place import Sight
    from shared.values.segment import Segment


@dataclass(frozen=True, kw_only=True)
class Area:
    """What is looked into: what somebody may see, or of that one conversation, or some time."""

    sight: Sight
    #: empty: all of them
    conversation: str = ""
    #: when a segment ended: from then on, and before; none: at any time
    since: datetime | None = None
    until: datetime | None = None

    def within(self, since: datetime, until: datetime) -> Area:
        """The part of it that is of a time; what is narrower stays so."""
        latest = since if self.since is None else max(since, self.since)
        earliest = until if self.until is None else min(until, self.until)
        return replace(self, since=latest, until=earliest)


@dataclass(frozen=True)
class Count:
    """How many segments there are; none: more than were counted. And how many documents that counts for."""

    segments: int | None
    reads: int


@dataclass(frozen=True)
class Near:
    """A segment whose vector is near to another, and the cosine of the two."""

    segment: Segment
    similarity: float


@dataclass(frozen=True, kw_only=True)
class ConversationNotes:
    """What is known of a conversation as a whole."""

    conversation: str
    title: str = ""
    #: whether a model made the title of text from outside, too
    title_holds_outside: bool = False
    chat_title: str = ""
    topics: tuple[str, ...] = ()
    #: the cosine of its abbreviation's vector and another; 0: it was not asked for by a vector
    similarity: float = 0.0
