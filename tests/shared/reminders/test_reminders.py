"""Tests of how reminders are written."""

from datetime import timedelta

from shared.chat.store.chats import NewUpdate
from shared.chat.store.layout import encode_update
from shared.chat.store.outbox import KEPT
from shared.chat.store.writes import CommitContext, Write, WriteMode
from shared.reminders.store import ReminderOutcome, ReminderRecord, decode_reminder, encode_reminder, owner_key
from shared.values.chat import Chat
from shared.values.chat_key import ChatKind
from shared.values.reminder import Occurrence, OccurrenceState, instruction_update
from tests.shared.chat.store.changes import written_by
from tests.shared.examples import KEY, NOW
from tests.shared.reminding import reminder

COMMIT = CommitContext(chat=Chat(key=KEY), at=NOW)


def test_an_open_reminder_is_listed_for_chat_and_owner() -> None:
    document = encode_reminder(reminder())
    assert (document["open_in"], document["open_for"]) == (KEY.id, owner_key("lull", reminder().person))
    assert list(ReminderRecord(reminder()).writes(COMMIT)) == [
        Write(path="events/abcdefghijkl", document=document, mode=WriteMode.SET)
    ]
    assert decode_reminder(document) == reminder()


def test_a_finished_reminder_is_unlisted_and_expires() -> None:
    over = reminder(next_at=None)
    (write,) = ReminderRecord(over).writes(COMMIT)
    assert (write.document["open_in"], write.document["open_for"]) == (None, None)
    assert write.document["expires_at"] == NOW + KEPT
    assert decode_reminder(write.document) == over


def test_an_outcome_changes_nothing_else() -> None:
    occurrence = Occurrence(due_at=NOW, state=OccurrenceState.SENT, at=NOW + timedelta(seconds=1))
    change = {"last": occurrence.model_dump(), "failed_at": None}
    assert written_by(ReminderOutcome("abc", occurrence), Chat(key=KEY)) == [("merge", "events/abc", change)]


def test_lulls_own_update_is_stored_in_the_inbox() -> None:
    update = instruction_update(reminder(text="", instruction="look"), NOW, ChatKind.PRIVATE, NOW)
    path = f"chats/{KEY.id}/inbox/{update.envelope.update_id:020d}"
    assert written_by(NewUpdate(update), Chat(key=KEY)) == [("create", path, encode_update(update))]
