"""Records of reminders, and of the updates with which lull itself brings an instruction up. And how they are read."""

from collections.abc import Iterator

from shared.chat.documents.outbox import KEPT, is_notice
from shared.chat.records import KeptReminder, NewUpdate, ReminderOutcome
from shared.chat.store import layout, paths
from shared.chat.store.writes import Commit, Mode, Write, writes_of
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Reminder


@writes_of.register
def _reminder(record: KeptReminder, commit: Commit) -> Iterator[Write]:
    document = encode_reminder(record.reminder)
    if record.reminder.next_at is None:
        document |= {layout.EXPIRES: commit.at + KEPT}
    yield Write(path=paths.event_path(record.reminder.id), document=document, mode=Mode.SET)


@writes_of.register
def _outcome(record: ReminderOutcome, _: Commit) -> Iterator[Write]:
    document = {"last": record.occurrence.model_dump()}
    yield Write(path=paths.event_path(record.reminder_id), document=document, mode=Mode.MERGE)


@writes_of.register
def _new_update(record: NewUpdate, _: Commit) -> Iterator[Write]:
    envelope = record.update.envelope
    path = paths.update_path(envelope.key, envelope.update_id)
    yield Write(path=path, document=layout.encode_update(record.update), mode=Mode.CREATE)


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
