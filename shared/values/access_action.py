"""Access actions: a plan changes whom the agent answers, for example by blocking a person or silencing the agent."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

#: the end of an action that lasts until somebody changes it
FOREVER: Final = datetime(9999, 1, 1, tzinfo=UTC)

#: reasons why an action was not taken
NOT_OWNERS: Final = "only the owner may have that done, in their private chat"
NOT_ALLOWED: Final = "only an administrator of the group may have that done"
#: the reason if the person to unblock is not blocked
NOT_BLOCKED: Final = "nobody with that user_id is blocked"
#: the result of a task that was referred to the owner
ASKED_OWNER: Final = "the owner was asked"


class AccessActionKind(StrEnum):
    """The changes that a plan may request: block or unblock a person, or make the agent answer nobody (SHUTDOWN)."""

    BLOCK = "block"
    UNBLOCK = "unblock"
    SHUTDOWN = "shutdown"


@dataclass(frozen=True)
class AccessAction:
    """A change to whom the agent answers, as a plan requests it."""

    kind: AccessActionKind
    #: the id of the person whom the action is about; 0 for nobody
    person: int = 0
    why: str = ""
    #: for a shutdown: whether all chats of the agent fall silent, not only this one
    is_everywhere: bool = False
