"""Values for whoever looks at what lull did: the local page, a console."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.values.message import AnyEntry
    from shared.values.update import InboxUpdate


@dataclass(frozen=True, kw_only=True)
class StoredUpdate:
    """An update in the inbox: whether a tick has read it, and the W3C trace id of the request that brought it."""

    update: InboxUpdate
    is_read: bool
    trace: str


@dataclass(frozen=True, kw_only=True)
class WindowContent:
    """The newest entries of a chat's conversation, as the window holds them, and the number of the last."""

    seq: int = 0
    entries: tuple[AnyEntry, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ConversationHead:
    """What a conversation's own document says: whose it is, what a person called it, and how far it is."""

    conversation: str
    agent: str
    #: id of the chat's document
    chat: str
    chat_title: str
    #: empty: nobody gave it one
    title: str
    #: how many there are
    entries: int
    turns: int
    #: when the last of it was said
    updated_at: datetime | None
