"""Values of what is known of people and chats: what they told, and what Telegram said of them not long ago."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.values.stickers import StickerSet


class Counted(StrEnum):
    """What is counted of a person each day."""

    REMINDED = "reminded"  #: reminders that come several times a day
    READ = "read"  #: documents that commands read for them


@dataclass(frozen=True, kw_only=True)
class DayBudget:
    """How much of something an agent does for each person in a day, which is written as 2026-11-28."""

    counted: Counted
    agent: str
    day: str
    most: int


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a person told of themselves; empty: nothing of that."""

    pronouns: str = ""
    #: the name of the time zone in which they live: what they set by /zone, and what they said to an agent
    set_zone: str = ""
    said_zone: str = ""

    @property
    def zone(self) -> str:
        """The zone in which they say times: what they set counts before what they said."""
        return self.set_zone or self.said_zone


@dataclass(frozen=True, kw_only=True)
class KeptSet:
    """A sticker set, as Telegram told it to a bot; none: it said that there is none. To be asked anew from then on."""

    found: StickerSet | None
    fresh_until: datetime


@dataclass(frozen=True, kw_only=True)
class MemberCount:
    """How many are in a chat, by Telegram; none: it did not say. To be asked anew from `fresh_until` on."""

    count: int | None
    fresh_until: datetime
