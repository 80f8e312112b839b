"""What a round takes in of the inbox: the oldest updates, as many as one prompt, window and commit have room for."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.models.chat import Chat
from shared.models.update import InboxUpdate
from shared.ports.chats import ChatStore
from shared.turn.quarantine import batch_size

#: bytes of the updates that one round takes in, unless a single one has more: the window holds their entries, which say
#: a little more than the updates do (`shared/session/conversation.py`)
ROUND_BYTES = 600_000


@dataclass(frozen=True, kw_only=True)
class Unread:
    """The updates of a round, and whether they are all that is unread."""

    updates: Sequence[InboxUpdate]
    is_all: bool


async def read_unread(chats: ChatStore, chat: Chat) -> Unread:
    """The oldest unread updates of a chat. Raises StoreUnavailable."""
    most = batch_size(chat)
    found = await chats.unread(chat.key, most)
    taken = found[: _count_within(found, ROUND_BYTES)]
    return Unread(updates=taken, is_all=len(taken) == len(found) < most)


def _count_within(updates: Sequence[InboxUpdate], most: int) -> int:
    size = 0
    for count, update in enumerate(updates):
        size += update.size
        if size > most and count:
            return count
    return len(updates)
