"""Reminders in Firestore: the records that write them, and the queries that read them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.session import Session
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.outbox import KEPT, failure_of, is_notice
from shared.chat.store.queries import REMINDERS_OF_CHAT, REMINDERS_OF_PERSON
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Occurrence, Reminder

#: the field by which a chat's reminders are ordered
NEXT = REMINDERS_OF_CHAT.order[0].field
#: how long a reminder of an unknown shape is postponed, since another version may understand it
UNREADABLE_WAITS: Final = timedelta(days=1)


@dataclass(frozen=True)
class ReminderRecord(Record):
    """The record that writes a new or changed reminder with the next commit. The reminder may be in another chat."""

    reminder: Reminder

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Replace the reminder's document. A finished reminder gets an expiry time."""
        document = encode_reminder(self.reminder)
        if self.reminder.next_at is None:
            document |= {layout.EXPIRES: commit.at + KEPT}
        yield Write(path=paths.event_path(self.reminder.id), document=document, mode=WriteMode.SET)


@dataclass(frozen=True)
class ReminderOutcome(Record):
    """Stores the outcome of the last occurrence of a reminder or notice, in the document of the reminder or notice."""

    reminder_id: str
    occurrence: Occurrence

    def writes(self, _: CommitContext) -> Iterator[Write]:
        document = {"last": self.occurrence.model_dump()} | failure_of(self.occurrence)
        yield Write(path=paths.event_path(self.reminder_id), document=document, mode=WriteMode.MERGE)


def encode_reminder(reminder: Reminder) -> layout.Document:
    """Return a reminder's document.

    `open_in` and `open_for` are null in a finished reminder, so that no list contains the reminder.
    """
    is_open = reminder.next_at is not None
    listed = {
        "open_in": reminder.chat if is_open else None,
        "open_for": owner_key(reminder.agent, reminder.person) if is_open else None,
    }
    return reminder.model_dump() | listed | failure_of(reminder.last)


def decode_reminder(document: layout.Document) -> Reminder:
    return Reminder.model_validate(document)


def decode_due(document: layout.Document) -> Reminder | OutboxNotice:
    """Return the reminder or notice in a document.

    Notices that older versions stored also have the fields of a reminder; those fields are empty.
    """
    return OutboxNotice.model_validate(document) if is_notice(document) else decode_reminder(document)


def owner_key(agent: str, person: int) -> str:
    """Return the key of a person's reminders with one agent."""
    return f"{agent} {person}"


def noted_reminders(session: Session) -> Sequence[Reminder]:
    """Return the reminders that the session's next commit writes."""
    return tuple(one.reminder for one in session.records_of(ReminderRecord))


class FirestoreReminders(FirestoreStore):
    """The reminders in Firestore. Every call may raise StoreUnavailable or StoreRefused."""

    async def due(self, chats: Sequence[str], now: datetime, limit: int) -> Sequence[Reminder | OutboxNotice]:
        """Return the due reminders and notices of the chats with these ids, oldest first."""
        query = REMINDERS_OF_CHAT.on(self.client, list(chats)).where(filter=FieldFilter(NEXT, "<=", now)).limit(limit)
        with translate_errors("find reminders that are due"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        due = [(one.reference, _readable(one)) for one in found]
        # unreadable reminders are put off; otherwise the sweep would wake their chats for ever
        for reference in (where for where, one in due if one is None):
            with translate_errors("put off an unreadable reminder"):
                await reference.update({NEXT: now + UNREADABLE_WAITS}, retry=RETRY, timeout=CALL_SECONDS)
        return [one for _, one in due if one is not None]

    async def find(self, reminder_id: str) -> Reminder | None:
        """Return a reminder, finished or not; None if it does not exist."""
        found = await self.find_due(reminder_id)
        return found if isinstance(found, Reminder) else None

    async def find_due(self, due_id: str) -> Reminder | OutboxNotice | None:
        """Return a reminder or notice, finished or not; None if it does not exist."""
        with translate_errors("read a reminder"):
            found = await self.client.document(paths.event_path(due_id)).get(retry=RETRY, timeout=CALL_SECONDS)
        return _readable(found) if found.exists else None

    async def open_of_chat(self, chats: Sequence[str], limit: int) -> Sequence[Reminder]:
        """Return the open reminders of the chats with these ids. Those due first come first."""
        return [one for one in await self.to_come(chats, limit) if isinstance(one, Reminder)]

    async def to_come(self, chats: Sequence[str], limit: int) -> Sequence[Reminder | OutboxNotice]:
        """Return the open reminders and notices of the chats with these ids. Those due first come first."""
        with translate_errors("list reminders"):
            found = (
                await REMINDERS_OF_CHAT.on(self.client, list(chats)).limit(limit).get(retry=RETRY, timeout=CALL_SECONDS)
            )
        return [one for one in map(_readable, found) if one is not None]

    async def open_count(self, agent: str, person: int) -> int:
        """Return how many open reminders a person has with an agent, in all chats. Costs one read."""
        count: Any = REMINDERS_OF_PERSON.on(
            self.client, owner_key(agent, person)
        ).count()  # a decorator hides its types
        with translate_errors("count reminders"):
            counts = await count.get(retry=RETRY, timeout=CALL_SECONDS)
        return int(counts[0][0].value)


def _readable(document: DocumentSnapshot[Any]) -> Reminder | OutboxNotice | None:
    """Return the reminder or notice in a document; None if this version cannot read the document.

    Nothing is raised, so that the chat's other reminders are still sent.
    """
    try:
        return decode_due(document.to_dict() or {})
    except ValidationError:
        log("a reminder has a form that this version does not know", id=document.id)
        return None
