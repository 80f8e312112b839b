"""An export: everything that is kept of a person, gathered for them as zip files and sent to them (`/export`).

The state machine of its document: GATHERING (a background job writes one part after the other into the bucket) → READY
(a tick of the person's private chat sends the parts) → CLEARED (the parts are deleted from the bucket). What dies in
between goes on from the document. FAILED: it could not be gathered, and nothing of it is left. One that is over is due
until its chat was woken once more, which tells how it ended.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from shared.values.chat_key import ChatKey
from shared.values.wake import Job, Wake, WakeReason, background_job

#: a person may ask for another one so long after the last
EVERY: Final = timedelta(days=1)
#: for how long whoever works on one has it; a claim that ran out may be taken by others
CLAIMED: Final = timedelta(minutes=3)
#: it is given up after so many runs in a row that brought it no further
MOST_TRIES: Final = 5
#: after so long something is looked after that was to happen and did not
GRACE: Final = timedelta(minutes=10)
#: for how long parts that are not sent yet lie in the bucket, whose own rule deletes what is older
KEPT_PARTS: Final = timedelta(days=2)


class ExportState(StrEnum):
    """How far it is."""

    GATHERING = "gathering"
    READY = "ready"
    CLEARED = "cleared"
    FAILED = "failed"


class ExportPosition(BaseModel):
    """How far the gathering came: the source, by its number, and the cursor within it; empty: its beginning."""

    model_config = ConfigDict(frozen=True)

    source: int = 0
    cursor: str = ""


class ExportPart(BaseModel):
    """One zip file in the bucket."""

    model_config = ConfigDict(frozen=True)

    #: from 1
    number: int
    #: in bytes
    size: int
    #: the object's name
    path: str


class PartOutcome(StrEnum):
    """What became of sending a part."""

    SENT = "sent"
    #: nobody knows whether it arrived
    UNKNOWN = "unknown"
    FAILED = "failed"


class Export(BaseModel):
    """The document `takeouts/{id}`: the newest export of one person, whichever agent they asked."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    #: whose it is
    person: int
    agent: str
    topic_id: int = 0
    #: tells it from their earlier ones; its parts lie below this name
    run: str
    #: of their app, as an IETF tag; empty: not known
    language: str = ""
    asked_at: datetime
    state: ExportState = ExportState.GATHERING
    place: ExportPosition = ExportPosition()
    parts: tuple[ExportPart, ...] = ()
    #: how many lines each file has so far, by the file's name
    counts: Mapping[str, int] = Field(default_factory=dict)
    #: how many of the person's conversations are read, and how many there are
    done: int = 0
    total: int = 0
    #: until when whoever works on it has it
    claimed_until: datetime | None = None
    #: how many runs in a row brought it no further
    tries: int = 0
    #: what became of each part that was to be sent, by its number as a text
    outcomes: Mapping[str, PartOutcome] = Field(default_factory=dict)
    #: from when on the sweep has it looked after; none: it is over
    due_at: datetime | None = None

    @property
    def id(self) -> str:
        """Its document's name."""
        return export_id(self.person)

    @property
    def key(self) -> ChatKey:
        """The private chat to which it is sent, whose id is the person's (core.telegram.org/bots/api#chat)."""
        return ChatKey(agent=self.agent, chat_id=self.person, topic_id=self.topic_id)

    @property
    def is_over(self) -> bool:
        """Whether nothing is to be done for it any more."""
        return self.state in {ExportState.CLEARED, ExportState.FAILED}

    @property
    def is_handed_over(self) -> bool:
        """Whether something became of each of its parts."""
        return all(str(part.number) in self.outcomes for part in self.parts)

    @property
    def arrived(self) -> bool:
        """Whether every part of it was sent for certain."""
        return self.state is not ExportState.FAILED and {*self.outcomes.values()} <= {PartOutcome.SENT}

    @property
    def is_received(self) -> bool:
        """Whether all of it was sent for certain, also while its parts are still to be deleted from the bucket."""
        return self.state is ExportState.READY and bool(self.parts) and self.is_handed_over and self.arrived

    @property
    def again_at(self) -> datetime:
        """From when on the person may ask for another, if this one arrived."""
        return self.asked_at + EVERY

    def may_be_replaced(self, now: datetime) -> bool:
        """Whether the person may ask for another one now."""
        return self.is_over and (not self.arrived or now >= self.again_at)


class ExportProgressMessage(BaseModel):
    """Of which export a chat tells how far it is, and in which message; 0: in none."""

    model_config = ConfigDict(frozen=True)

    run: str
    message_id: int = 0
    #: whether it was told how it ended
    is_ended: bool = False


class ExportPartRef(BaseModel):
    """Which part of which export a task sends."""

    model_config = ConfigDict(frozen=True)

    person: int
    run: str
    number: int
    #: how many there are
    of: int
    path: str


def is_progress_shown_after(part: int) -> bool:
    """Whether the message that tells how far it is changes after a part: after the 1st, 2nd, 4th, 8th and so on.

    An export of a hundred parts is gathered for hours, and Telegram takes few edits of one message.
    """
    return part > 0 and part & (part - 1) == 0


def export_id(person: int) -> str:
    """The name of the document of a person's export; hashed, so that the names spread."""
    return hashlib.sha256(f"takeout {person}".encode()).hexdigest()[:20]


def export_job(export: Export, now: datetime, traceparent: str = "", of: str = "") -> Job:
    """The call that brings an export further; one for each part. `of` tells it from others for the same."""
    named = f"{export.run}@{export.state}@{len(export.parts)}@{of}"
    return background_job({"job": "take_out", "person": str(export.person)}, named, now, traceparent)


def export_wake(export: Export, now: datetime, of: str = "", traceparent: str = "") -> Wake:
    """The tick that sends what is ready, or shows how far the gathering is. `of` tells it from others for the same."""
    named = f"{export.run}@{export.state}@{len(export.parts)}@{of}"
    return Wake(key=export.key, reason=WakeReason.EXPORT, at=now, of=named, traceparent=traceparent)
