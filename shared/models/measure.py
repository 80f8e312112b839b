"""Measures: what a plan does about who is answered, beyond the words of its answer; and their end by the owner."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from shared.models.chat_key import ChatKey, ChatKind
from shared.models.update import Envelope, InboxUpdate

#: until somebody says otherwise
FOR_GOOD: Final = datetime(9999, 1, 1, tzinfo=UTC)
#: the kind of the updates with which lull itself says in a chat that the owner ends its silence
WOKEN: Final = "woken"
#: above those of Telegram's (32 bits) and below 2**53, as the updates of reminders are
_FIRST_UPDATE: Final = 10**15
_UPDATES: Final = 8 * 10**15


class MeasureKind(StrEnum):
    """What is done."""

    BLOCK = "block"
    UNBLOCK = "unblock"
    SHUTDOWN = "shutdown"


@dataclass(frozen=True)
class Measure:
    """What a plan wants done."""

    kind: MeasureKind
    #: the id of the person whom it is about; 0: nobody
    person: int = 0
    why: str = ""
    #: of a shutdown, whether it is meant for all chats of the agent
    is_everywhere: bool = False


def awakening(key: ChatKey, at: datetime) -> InboxUpdate:
    """The update that has a chat's ticks answer again; one for each moment at which the owner wants that."""
    digest = hashlib.sha256(f"{WOKEN} {key.id}@{at.isoformat()}".encode()).digest()
    update_id = _FIRST_UPDATE + int.from_bytes(digest[:8]) % _UPDATES
    envelope = Envelope(update_id=update_id, kind=WOKEN, key=key, chat_kind=ChatKind.NONE)
    return InboxUpdate(envelope=envelope, raw={"update_id": update_id, WOKEN: {}}, received_at=at)
