"""Measures: what a plan does about who is answered, beyond the words of its answer."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

#: until somebody says otherwise
FOREVER: Final = datetime(9999, 1, 1, tzinfo=UTC)

#: why a measure was not taken
NOT_OWNERS: Final = "only the owner may have that done, in their private chat"
NOT_ALLOWED: Final = "only an administrator of the group may have that done"
#: of the id that a plan would have unblocked
NOT_BLOCKED: Final = "nobody of that user_id is blocked"
#: why a task is over that the owner was asked about
ASKED_OWNER: Final = "the owner was asked"


class AccessActionKind(StrEnum):
    """What is done."""

    BLOCK = "block"
    UNBLOCK = "unblock"
    SHUTDOWN = "shutdown"


@dataclass(frozen=True)
class AccessAction:
    """What a plan wants done."""

    kind: AccessActionKind
    #: the id of the person whom it is about; 0: nobody
    person: int = 0
    why: str = ""
    #: of a shutdown, whether it is meant for all chats of the agent
    is_everywhere: bool = False
