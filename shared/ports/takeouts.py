"""The ports of takeouts: how far each is, what is kept of a person, and the bucket in which its parts lie."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from shared.models.kept_media import StoredPart
    from shared.models.membership import Membership
    from shared.models.message import AnyEntry
    from shared.models.notes import Observation
    from shared.models.takeout import Takeout


@dataclass(frozen=True, kw_only=True)
class TakeoutSnapshot:
    """A person's newest takeout as it was read, and the version that a write of it must still find; none: none yet."""

    takeout: Takeout | None
    version: object


class Takeouts(Protocol):
    """How far the takeouts are. Everything raises StoreUnavailable or StoreRefused."""

    async def find(self, person: int) -> TakeoutSnapshot:
        """A person's newest takeout."""

    async def replace(self, seen: TakeoutSnapshot, takeout: Takeout) -> TakeoutSnapshot:
        """Write a takeout in the place of the one that was seen, and return it. Raises Contended if that changed."""

    async def due(self, now: datetime, limit: int) -> Sequence[int]:
        """The people whose takeouts are to be looked after, those that waited longest first."""


@dataclass(frozen=True, kw_only=True)
class PersonChat:
    """A chat in which a person was seen: its private one with an agent, or a group; with all ids that it has had."""

    #: those of its documents, now and before the group became a supergroup
    ids: tuple[str, ...]
    agent: str
    chat_id: int
    topic_id: int = 0
    title: str = ""
    is_private: bool = False
    #: of a group: what is known of the person's being in it, under each of its chat ids
    memberships: tuple[Membership, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PersonConversation:
    """A conversation of such a chat."""

    id: str
    chat: PersonChat


class Belongings(Protocol):
    """What is kept of a person, wherever it lies. Raises StoreUnavailable, StoreRefused or TranscriptUnreadable.

    What it gives of a group holds other people's words, too: `shared/takeout` tells what of it is the person's.
    """

    async def chats(self, person: int) -> Sequence[PersonChat]:
        """The chats in which a person was seen, in the order of their ids."""

    async def conversations(self, chats: Sequence[PersonChat]) -> Sequence[PersonConversation]:
        """The conversations of these chats, in the order of their ids."""

    def entries(self, conversation: str) -> AsyncIterator[AnyEntry]:
        """A conversation's transcript."""

    def observations(self, conversation: str) -> AsyncIterator[Observation]:
        """What was observed in a conversation."""

    async def notes(self, conversation: PersonConversation) -> Mapping[str, Any]:
        """What was noted of a whole conversation: title, topics, abbreviation, summary of its older part."""

    async def summaries(self, chat: PersonChat) -> Mapping[str, Any]:
        """The summaries of a chat's last days, by span."""

    async def profile(self, person: int) -> Mapping[str, Any]:
        """What a person told of themselves."""

    def memories(self, person: int, chats: Sequence[PersonChat]) -> AsyncIterator[Mapping[str, Any]]:
        """What agents remember of a person, and what they remember of chats and of everything from their words."""

    def reminders(self, person: int) -> AsyncIterator[Mapping[str, Any]]:
        """Their reminders."""

    def requests(self, person: int) -> AsyncIterator[Mapping[str, Any]]:
        """Their requests to be let in; and of each agent whether they own it, were let in, or are blocked."""

    def usage(self, person: int, chats: Sequence[PersonChat]) -> AsyncIterator[Mapping[str, Any]]:
        """What they used: their sums with each agent, and what each allowance was used for, open ones among them."""

    def incidents(self, chat: PersonChat) -> AsyncIterator[Mapping[str, Any]]:
        """What went wrong in a chat, with what was said there and could not be handled."""

    def files(self, person: int) -> AsyncIterator[tuple[Mapping[str, Any], Sequence[StoredPart]]]:
        """The files that they sent, with what is known of each and what of it is stored."""


class StoredMedia(Protocol):
    """The stored parts of files. Everything raises BlobsUnavailable."""

    async def exists(self, part: StoredPart) -> bool:
        """Whether a part is still there."""

    def pieces(self, part: StoredPart) -> AsyncIterator[bytes]:
        """A part that is there, piece by piece."""
