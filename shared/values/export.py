"""The export that a person asks for with /export: everything kept about them, sent to them as zip files.

States of its document: GATHERING (a background job writes the parts into the bucket, one after the other) → READY (a
tick of the person's private chat sends the parts) → CLEARED (the parts are deleted from the bucket). If a run dies, the
next run continues from the document. FAILED: the data could not be gathered, and no part is left. An export that has
ended stays due until a tick has told the person how it ended.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from pydantic import Field

from shared.values.chat_key import ChatKey
from shared.values.evolve import FrozenModel
from shared.values.wake import Job, Wake, WakeReason, background_job

#: Time after which a person may ask for another export.
EVERY: Final = timedelta(days=1)
#: How long a run may hold an export. Another run may take it afterwards.
CLAIMED: Final = timedelta(minutes=3)
#: The export fails after this many runs in a row without progress.
MOST_TRIES: Final = 5
#: Time after which the sweep checks whether the next step happened.
GRACE: Final = timedelta(minutes=10)
#: How long unsent parts are kept. The bucket's own rule deletes older ones.
KEPT_PARTS: Final = timedelta(days=2)


class ExportState(StrEnum):
    GATHERING = "gathering"
    READY = "ready"
    CLEARED = "cleared"
    FAILED = "failed"


class ExportPosition(FrozenModel):
    """A position in the data to gather: the number of the source, and the cursor in it (empty for its beginning)."""

    source: int = 0
    cursor: str = ""


class ExportPart(FrozenModel):
    """One zip file in the bucket."""

    #: from 1
    number: int
    #: in bytes
    size: int
    #: the object's name
    path: str


class PartOutcome(StrEnum):
    """The results of sending a part of an export."""

    SENT = "sent"
    #: it may or may not have arrived
    UNKNOWN = "unknown"
    FAILED = "failed"


class Export(FrozenModel):
    """The document `takeouts/{id}`: the newest export of one person, whichever agent they asked."""

    #: the person whose data it holds
    person: int
    agent: str
    topic_id: int = 0
    #: Unique id of this export. The names of its parts in the bucket begin with it.
    run: str
    #: language of the person's app, as an IETF tag; empty if not known
    language: str = ""
    asked_at: datetime
    state: ExportState = ExportState.GATHERING
    place: ExportPosition = ExportPosition()
    parts: tuple[ExportPart, ...] = ()
    #: lines written so far, by file name
    counts: Mapping[str, int] = Field(default_factory=dict)
    #: conversations gathered so far, and in total
    done: int = 0
    total: int = 0
    #: until when the current run holds the export
    claimed_until: datetime | None = None
    #: runs in a row without progress
    tries: int = 0
    #: result of each part that was sent, by its number as text
    outcomes: Mapping[str, PartOutcome] = Field(default_factory=dict)
    #: when the sweep checks it next; None if nothing is left to do
    due_at: datetime | None = None

    @property
    def id(self) -> str:
        """The name of the export's document."""
        return export_id(self.person)

    @property
    def key(self) -> ChatKey:
        """The private chat that receives the export. Its id is the person's (core.telegram.org/bots/api#chat)."""
        return ChatKey(agent=self.agent, chat_id=self.person, topic_id=self.topic_id)

    @property
    def is_over(self) -> bool:
        """True if the export has ended, whether it succeeded or failed."""
        return self.state in {ExportState.CLEARED, ExportState.FAILED}

    @property
    def has_all_outcomes(self) -> bool:
        """True if every part has an outcome."""
        return all(str(part.number) in self.outcomes for part in self.parts)

    @property
    def has_arrived(self) -> bool:
        """True if the export did not fail, and every part that was sent has certainly arrived."""
        return self.state is not ExportState.FAILED and {*self.outcomes.values()} <= {PartOutcome.SENT}

    @property
    def is_received(self) -> bool:
        """True if every part has arrived, but the bucket still holds the parts, so the export is not over."""
        return self.state is ExportState.READY and bool(self.parts) and self.has_all_outcomes and self.has_arrived

    @property
    def may_ask_again_at(self) -> datetime:
        """The time from which the person may ask for another export, provided that this one arrived."""
        return self.asked_at + EVERY

    def may_be_replaced(self, now: datetime) -> bool:
        """Return whether the person may ask for another export now."""
        return self.is_over and (not self.has_arrived or now >= self.may_ask_again_at)


class ExportProgressMessage(FrozenModel):
    """The message in a chat that shows the progress of an export."""

    run: str
    message_id: int = 0
    #: whether the message already says how the export ended
    is_ended: bool = False


class ExportPartRef(FrozenModel):
    """The part of an export that a task sends."""

    person: int
    run: str
    number: int
    #: number of parts in total
    of: int
    path: str


def is_progress_shown_after(part: int) -> bool:
    """Return whether the progress message is updated after this part: the 1st, 2nd, 4th, 8th and so on.

    A large export has a hundred parts, and Telegram limits how often one message is edited.
    """
    return part > 0 and part & (part - 1) == 0


def export_id(person: int) -> str:
    """Return the name of a person's export document. It is a hash, so that the names spread evenly."""
    return hashlib.sha256(f"takeout {person}".encode()).hexdigest()[:20]


def export_job(export: Export, now: datetime, traceparent: str = "", of: str = "") -> Job:
    """Return the job that gathers the next part or finishes the export. `of` makes the job's name unique."""
    named = f"{export.run}@{export.state}@{len(export.parts)}@{of}"
    return background_job({"job": "take_out", "person": str(export.person)}, named, now, traceparent)


def export_wake(export: Export, now: datetime, of: str = "", traceparent: str = "") -> Wake:
    """Return the scheduled tick (wake) that sends the parts or shows the progress. `of` makes its name unique."""
    named = f"{export.run}@{export.state}@{len(export.parts)}@{of}"
    return Wake(key=export.key, reason=WakeReason.EXPORT, at=now, of=named, traceparent=traceparent)
