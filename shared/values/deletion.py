"""The document of a deletion: who asked to be forgotten, how far the work has come, and what was deleted.

The document holds nothing that anybody wrote. It is never deleted: after the database is restored from a backup, it is
used to delete the same data again.
"""

import hashlib
import json
import zlib
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, PlainSerializer, SerializationInfo

from shared.values.chat_key import ChatKey
from shared.values.evolve import FrozenModel
from shared.values.message import Author
from shared.values.wake import Job, Queue

#: Replaces the texts and the name of a forgotten person.
ERASED: Final = "[erased]"
NOBODY: Final = Author(id=0, name=ERASED)
#: Time between the two rounds of a deletion. It is longer than any function may run. A function may have read data
#: before the first round and written it back later: the second round finds that too.
SETTLING: Final = timedelta(minutes=20)
#: number of steps of each round, for showing the progress
ROUND_STEPS: Final = 13
#: How long a deletion may make no progress before the sweep resumes it.
GRACE: Final = timedelta(minutes=5)


class DeletionScope(StrEnum):
    """The scopes of a deletion: a person, a group of one agent, or a conversation."""

    PERSON = "person"  #: everything of a person, in all chats of all agents
    GROUP = "group"  #: everything of a group, with its topics, of one agent
    CONVERSATION = "conversation"  #: one conversation


#: The document keeps at most this many names of files, and as many names of parts. With names of 25 letters that is 850
#: kB; a document holds 1 MiB. Files beyond this number are deleted too, but not checked in the second round.
MOST_FILES: Final = 20_000


def _pack(names: tuple[str, ...], info: SerializationInfo) -> bytes | list[str]:
    """Return the names as compressed bytes, which take one index entry.

    A list would take one for each name, and Firestore allows 40,000 index entries for a document.
    """
    return zlib.compress("\n".join(names).encode()) if info.mode == "python" else list(names)


def _unpack(value: Any) -> Any:
    return tuple(filter(None, zlib.decompress(value).decode().split("\n"))) if isinstance(value, bytes) else value


#: Names, stored as compressed bytes. Older documents have a list.
PackedNames = Annotated[tuple[str, ...], BeforeValidator(_unpack), PlainSerializer(_pack)]


class ConversationProgress(FrozenModel):
    """The finished pages of a long conversation: from `up_to` back to `down_to`, both included.

    Both name a page by the number of its first entry.
    """

    conversation: str
    up_to: int
    down_to: int


class Deletion(FrozenModel):
    """The request for a deletion, its progress, and the counts of deleted data."""

    id: str
    scope: DeletionScope
    #: the person to forget; 0 if the scope is a group or a conversation
    person: int = 0
    #: document id of the chat where the deletion was requested, and where the receipt is sent
    chat: str
    conversation: str = ""
    #: language of the receipt, as an ISO 639-1 code; empty if not known
    language: str = ""
    asked_at: datetime
    #: when the deletion continues; None if it is done
    due_at: datetime | None
    #: Everything from before this moment is deleted. Set when work begins.
    cut: datetime | None = None
    #: current round, 1 or 2
    round: int = 1
    #: finished steps of this round
    done: tuple[str, ...] = ()
    #: deleted and changed conversations, and files and their parts in the bucket; emptied after the last round
    gone: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    files: PackedNames = ()
    parts: PackedNames = ()
    #: Hashes of the person's full names, kept until the last round. Forwards of people who hide their account carry
    #: only a name.
    names: tuple[int, ...] = ()
    #: Progress of the step `words`: the current stage (`deletion/forgotten.py`), the conversations done in it, and the
    #: position in the current one.
    stage: int = 0
    through: tuple[str, ...] = ()
    within: ConversationProgress | None = None
    #: runs of the person's exports; the names of the parts in the bucket begin with these runs
    takeouts: tuple[str, ...] = ()
    #: number of deleted things, by kind
    counts: dict[str, int] = Field(default_factory=dict)
    #: URLs of the archives that refused to delete
    refused: tuple[str, ...] = ()
    is_told: bool = False
    done_at: datetime | None = None

    @property
    def is_waiting(self) -> bool:
        """True if the deletion must not continue before `due_at`: round 2 has not begun yet, or an archive refused it.

        Any other deletion that has begun may continue at once, since the run that began it may be dead.
        """
        return self.round > 1 and (not self.done or bool(self.refused))

    def within_of(self, conversation: str) -> ConversationProgress | None:
        """Return the progress within this conversation; None if there is none, or if it is in another conversation."""
        return self.within if self.within is not None and self.within.conversation == conversation else None

    @property
    def key(self) -> ChatKey:
        """The key of the chat where the deletion was requested."""
        return ChatKey.from_id(self.chat)


def deletion_id(*parts: str) -> str:
    """Return an id made of these parts. The same parts always give the same id."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def deletion_job(deletion: str, of: str, at: datetime, traceparent: str = "") -> Job:
    """Return the job that continues a deletion. `of` makes the job's name unique."""
    name = hashlib.sha256(f"erase\n{deletion}\n{of}".encode()).hexdigest()[:40]
    body = json.dumps({"job": "erase", "erasure": deletion})
    return Job(function="erase", body=body, at=at, name=name, queue=Queue.BACKGROUND, traceparent=traceparent)
