"""Measures: what a plan does about who is answered, beyond the words of its answer."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

#: until somebody says otherwise
FOR_GOOD: Final = datetime(9999, 1, 1, tzinfo=UTC)


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
