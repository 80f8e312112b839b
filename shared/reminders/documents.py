"""Records of reminders, and how they are read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.chat.session import Session
from shared.chat.store import layout, paths
from shared.chat.store.outbox import KEPT, is_notice
from shared.chat.store.writes import Commit, Mode, Record, Write
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Occurrence, Reminder


@dataclass(frozen=True)
class KeptReminder(Record):
    """A reminder as it is from now on, of any chat; a new one, or one that changed."""

    reminder: Reminder

    def writes(self, commit: Commit) -> Iterator[Write]:
        """Replace the reminder's document, which expires once it is over."""
        document = encode_reminder(self.reminder)
        if self.reminder.next_at is None:
            document |= {layout.EXPIRES: commit.at + KEPT}
        yield Write(path=paths.event_path(self.reminder.id), document=document, mode=Mode.SET)


@dataclass(frozen=True)
class ReminderOutcome(Record):
    """What became of the last occurrence of a reminder, or of a notice."""

    reminder_id: str
    occurrence: Occurrence

    def writes(self, _: Commit) -> Iterator[Write]:
        """Merge it into the reminder's document."""
        document = {"last": self.occurrence.model_dump()}
        yield Write(path=paths.event_path(self.reminder_id), document=document, mode=Mode.MERGE)


def encode_reminder(reminder: Reminder) -> layout.Document:
    """A reminder's document. `open_in` and `open_for` are null once it is over, so that no list has it."""
    is_open = reminder.next_at is not None
    listed = {
        "open_in": reminder.chat if is_open else None,
        "open_for": owner_key(reminder.agent, reminder.person) if is_open else None,
    }
    return reminder.model_dump() | listed


def decode_reminder(document: layout.Document) -> Reminder:
    """The reminder."""
    return Reminder.model_validate(document)


def decode_due(document: layout.Document) -> Reminder | OutboxNotice:
    """The reminder, or the notice; one from before the outbox has a reminder's other fields, too, which are empty."""
    return OutboxNotice.model_validate(document) if is_notice(document) else decode_reminder(document)


def owner_key(agent: str, person: int) -> str:
    """Whose a reminder is: a person's, with one agent."""
    return f"{agent} {person}"


def noted_reminders(session: Session) -> Sequence[Reminder]:
    """Return the reminders that the session's next commit writes."""
    return tuple(one.reminder for one in session.records_of(KeptReminder))
