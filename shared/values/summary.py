"""A summary: what was said in a chat in the last 7 or 30 days. Prompts show it; it can be made again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from shared.values.message import AnyEntry


class Span(StrEnum):
    """How far back a summary reaches."""

    WEEK = "7day"
    MONTH = "30day"

    @property
    def length(self) -> timedelta:
        """As a time."""
        return _LENGTHS[self]


_LENGTHS: Final = {Span.WEEK: timedelta(days=7), Span.MONTH: timedelta(days=30)}


class EntryRange(BaseModel):
    """Which entries of a conversation a summary was made of."""

    model_config = ConfigDict(frozen=True)

    conversation: str
    first_seq: int
    last_seq: int
    #: whether they were read as the conversation's abbreviation
    is_abbreviated: bool = False


class ChatSummary(BaseModel):
    """One summary of one chat."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    #: empty: none was made yet, and `made_at` is when the chat began
    text: str = ""
    #: when its text was made, up to which it tells of its days
    made_at: datetime
    #: when nothing had been said since, as was found last; None: it was not looked since
    looked_at: datetime | None = None
    ranges: tuple[EntryRange, ...] = ()
    #: whether it was made from texts from outside, too
    holds_outside: bool = False

    @property
    def counts_from(self) -> datetime:
        """The moment from which the time until the next one counts."""
        return self.looked_at or self.made_at

    def is_due(self, now: datetime, every: timedelta) -> bool:
        """Whether another is to be made, by the time that has passed."""
        return now - self.counts_from >= every


@dataclass(frozen=True, kw_only=True)
class SpanConversation:
    """A conversation in which something was said in a span."""

    id: str
    title: str = ""
    abbreviation: str = ""
    holds_outside: bool = False
    #: how many entries it has, and when the last was written
    entries: int = 0
    updated_at: datetime
    #: its newest entries, as far as they were read
    newest: Sequence[AnyEntry] = ()
