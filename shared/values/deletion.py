"""A deletion: that somebody asked to be forgotten, how far that has come, and what it came to.

Nothing in it is what anybody wrote. It stays when it is done: a restored backup is erased again by it.
"""

import hashlib
import json
import zlib
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, SerializationInfo

from shared.values.chat_key import ChatKey
from shared.values.message import Author
from shared.values.wake import Job, Queue

#: what stands for the words of somebody who was forgotten, and for whoever they were
ERASED: Final = "[erased]"
NOBODY: Final = Author(id=0, name=ERASED)
#: after so long everything is looked at once more: no function runs as long, so what one of them still wrote from what
#: it had read before is there by then, and goes too
SETTLING: Final = timedelta(minutes=20)
#: after so long a deletion whose task was lost is found by the sweep
GRACE: Final = timedelta(minutes=5)


class DeletionScope(StrEnum):
    """What is forgotten."""

    PERSON = "person"  #: everything of a person, in all chats of all agents
    GROUP = "group"  #: everything of a group, with its topics, of one agent
    CONVERSATION = "conversation"  #: one conversation


#: A deletion keeps so many files and so many parts. With names of 25 letters that is 850 kB at most; a document holds
#: 1 MiB. What is beyond goes as well, but is not looked at once more.
MOST_FILES: Final = 20_000


def _pack(names: tuple[str, ...], info: SerializationInfo) -> bytes | list[str]:
    """Firestore would make an index entry of each name, and takes 40,000 of a document. Bytes are one entry."""
    return zlib.compress("\n".join(names).encode()) if info.mode == "python" else list(names)


def _unpack(value: Any) -> Any:
    return tuple(filter(None, zlib.decompress(value).decode().split("\n"))) if isinstance(value, bytes) else value


#: names that a document holds as bytes; documents of before have a list
PackedNames = Annotated[tuple[str, ...], BeforeValidator(_unpack), PlainSerializer(_pack)]


class ConversationProgress(BaseModel):
    """How much of a long conversation was gone through: its pages from `up_to` back to `down_to`, and both of them.

    A page is named by the number of its first entry.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    conversation: str
    up_to: int
    down_to: int


class Deletion(BaseModel):
    """The document of a deletion."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    scope: DeletionScope
    #: who is forgotten; 0: nobody, it is of a place
    person: int = 0
    #: the document id of the chat where it was asked for, and where the receipt is told
    chat: str
    conversation: str = ""
    #: in which lull speaks of it: an ISO 639-1 code; empty: not known
    language: str = ""
    asked_at: datetime
    #: when it is to go on; none: it is done
    due_at: datetime | None
    #: what was there before this moment goes; set when work begins
    cut: datetime | None = None
    #: the round, from 1: everything is looked at twice
    round: int = 1
    #: the steps of this round that are done
    done: tuple[str, ...] = ()
    #: conversations that are gone or were changed, and files and their parts in the bucket, until the last round
    gone: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    files: PackedNames = ()
    parts: PackedNames = ()
    #: the numbers of their whole names, until the last round: who hides their account is known by no other
    names: tuple[int, ...] = ()
    #: of the step of words, until it ends: what goes at present (`deletion/forgotten.py`); the conversations that
    #: it has gone through for that; and the one in which it is
    stage: int = 0
    through: tuple[str, ...] = ()
    within: ConversationProgress | None = None
    #: what they asked for by /export, by the names below which its parts lie
    takeouts: tuple[str, ...] = ()
    #: what was erased, in numbers by kind
    counts: dict[str, int] = {}
    #: the archives that did not let go of what is theirs, by their URLs
    refused: tuple[str, ...] = ()
    is_told: bool = False
    done_at: datetime | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for its moment, if that has not come: for the second round, or for an archive that refused.

        Whatever else has begun goes on at once, whoever asks for it: the run that had begun may be dead.
        """
        return self.round > 1 and (not self.done or bool(self.refused))

    def within_of(self, conversation: str) -> ConversationProgress | None:
        """How much of a conversation was gone through, if it is the one in which the step of words is."""
        return self.within if self.within is not None and self.within.conversation == conversation else None

    @property
    def key(self) -> ChatKey:
        """The key of the chat where it was asked for."""
        return ChatKey.from_id(self.chat)


def deletion_id(*parts: str) -> str:
    """An id that is the same for the same parts: whoever presses twice asks once."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def deletion_job(deletion: str, of: str, at: datetime, traceparent: str = "") -> Job:
    """The call that goes on with a deletion. `of` tells it from others for the same one."""
    name = hashlib.sha256(f"erase\n{deletion}\n{of}".encode()).hexdigest()[:40]
    body = json.dumps({"job": "erase", "erasure": deletion})
    return Job(function="erase", body=body, at=at, name=name, queue=Queue.BACKGROUND, traceparent=traceparent)
