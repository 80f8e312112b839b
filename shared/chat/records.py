"""Records: what a commit of a tick writes beside the chat's document, each kind a typed value.

`shared/*/documents/` maps each kind to its writes. One more record is a value here and a mapping there;
the session collects them and commits carry them without knowing their kinds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from shared.tasks.plan import Plan
    from shared.values.access import AccessRequest
    from shared.values.chat import Chat
    from shared.values.incident import Incident
    from shared.values.memory import MemoryChange
    from shared.values.message import AnyEntry
    from shared.values.outbox import OutboxNotice
    from shared.values.purse import Usage
    from shared.values.reference import Reference
    from shared.values.reminder import Occurrence, Reminder
    from shared.values.segment import Segment
    from shared.values.takeout import HandedPart, PartOutcome
    from shared.values.update import InboxUpdate


@dataclass(frozen=True, kw_only=True)
class LogLine:
    """What is logged of something: lull's own words, and ids."""

    text: str
    fields: Mapping[str, str] = field(default_factory=dict)


class Record:
    """One thing that a commit writes. It is about the commit's chat, unless it names another place itself."""

    def log_line(self) -> LogLine | None:
        """What is logged once it was written; most are not worth a line."""
        return None


@dataclass(frozen=True)
class ReadUpdates(Record):
    """Updates of the inbox that are read now."""

    update_ids: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class TranscriptPart(Record):
    """Entries that are appended to a conversation's transcript, their numbers given already."""

    conversation: str
    entries: tuple[AnyEntry, ...]


@dataclass(frozen=True)
class Window(Record):
    """The newest entries of the chat's conversation, which replace what the window held."""

    entries: tuple[AnyEntry, ...]


@dataclass(frozen=True)
class NoWindow(Record):
    """That the chat keeps no window: its conversation goes on elsewhere, and the window is made again there."""


@dataclass(frozen=True, kw_only=True)
class ConversationState(Record):
    """What a conversation's own document says: the chat as it was with this conversation, and when its last was said.

    It is the chat's current conversation, or one that the chat leaves.
    """

    chat: Chat
    newest_at: datetime | None
    #: the newest entries, which tell who takes part, and how it began
    entries: tuple[AnyEntry, ...] = ()


@dataclass(frozen=True)
class SegmentState(Record):
    """A segment of a conversation as it is from now on, in place of what it was: its words changed.

    Its vector was of what it said before, and goes; its notes come again when the conversation rests.
    """

    segment: Segment


@dataclass(frozen=True)
class CurrentPlan(Record):
    """The chat's plan as it stands now."""

    plan: Plan


@dataclass(frozen=True)
class ReplacedPlan(Record):
    """A plan that another replaced; kept for whoever asks what became of it."""

    plan: Plan


@dataclass(frozen=True)
class NewIncident(Record):
    """An incident to be looked at, or to be replayed."""

    incident: Incident

    def log_line(self) -> LogLine:
        """Which incident it is."""
        return LogLine(text="an incident", fields={"kind": self.incident.kind.value, "incident": self.incident.id})


@dataclass(frozen=True, kw_only=True)
class MovedChat(Record):
    """The document of the chat's new id, when the chat moves there, and the plan that stands there from then on."""

    chat: Chat
    #: what that document must still be; none: there was no document
    version: object | None
    plan: Plan | None


@dataclass(frozen=True)
class KeptReminder(Record):
    """A reminder as it is from now on, of any chat; a new one, or one that changed."""

    reminder: Reminder


@dataclass(frozen=True)
class KeptNotice(Record):
    """A notice of the outbox as it is from now on, of any chat."""

    notice: OutboxNotice


@dataclass(frozen=True)
class ReminderOutcome(Record):
    """What became of the last occurrence of a reminder, or of a notice."""

    reminder_id: str
    occurrence: Occurrence


@dataclass(frozen=True)
class HandedOver(Record):
    """What became of sending a part of somebody's takeout."""

    part: HandedPart
    outcome: PartOutcome

    def log_line(self) -> LogLine:
        """Which part, and what became of it."""
        return LogLine(text="a part of a takeout", fields={"part": str(self.part.number), "outcome": self.outcome})


@dataclass(frozen=True)
class SentFile(Record):
    """A person's sending of a file, by which what is known of it is found from the person and the chat."""

    reference: Reference


@dataclass(frozen=True, kw_only=True)
class SeenInGroup(Record):
    """That a person was seen in the commit's group, or that they left it."""

    person: int
    is_member: bool
    #: when they left or were removed, and when they came, as often as they did
    left_at: tuple[datetime, ...] = ()
    joined_at: tuple[datetime, ...] = ()


@dataclass(frozen=True)
class MembersChanged(Record):
    """That somebody came into the commit's group or left it: how many are there Telegram is asked anew."""


@dataclass(frozen=True)
class KeptAccessRequest(Record):
    """An access request as it is from now on."""

    request: AccessRequest

    def log_line(self) -> LogLine:
        """That somebody waits."""
        return LogLine(text="somebody asks to be let in", fields={"request": self.request.id})


@dataclass(frozen=True)
class NewUpdate(Record):
    """An update of lull's own, which the chat is to read as any other; there must be none of its id."""

    update: InboxUpdate


@dataclass(frozen=True)
class ChangedMemories(Record):
    """What changes of one owner's memories."""

    change: MemoryChange

    def log_line(self) -> LogLine:
        """Whose kind they are, and how many."""
        told = {"scope": self.change.owner.scope.value, "kept": str(len(self.change.kept))}
        return LogLine(text="memories changed", fields={**told, "gone": str(len(self.change.gone))})


@dataclass(frozen=True)
class SpentAllowance(Record):
    """What an allowance was used for that is over."""

    usage: Usage
