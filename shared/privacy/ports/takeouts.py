"""Values of takeouts: how far each is, and where something of a person is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.recall.store.memberships import Membership
    from shared.values.takeout import Takeout


@dataclass(frozen=True, kw_only=True)
class TakeoutSnapshot:
    """A person's newest takeout as it was read, and the version that a write of it must still find; none: none yet."""

    takeout: Takeout | None
    version: object


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
