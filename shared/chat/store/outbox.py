"""The outbox in Firestore: notices, each sent by a tick of its chat. One query finds due notices and reminders."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from shared.chat.queue import TickQueue
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Occurrence, OccurrenceState, remind_wake

#: the time at which the last occurrence failed; null if it did not
FAILED_AT = "failed_at"
#: how long a finished notice is kept, since people may still press its buttons
KEPT = timedelta(days=30)


@dataclass(frozen=True)
class StoredNotice(Record):
    """The record that stores a notice, for the chat of the commit or for any other chat."""

    notice: OutboxNotice

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield the write that replaces the notice's document. A finished notice gets an expiry time."""
        document = encode_notice(self.notice)
        if self.notice.next_at is None:
            document |= {layout.EXPIRES: commit.at + KEPT}
        yield Write(path=paths.event_path(self.notice.id), document=document, mode=WriteMode.SET)


class FirestoreOutbox(FirestoreStore):
    """The outbox. Queries of due reminders find its notices too. Methods may raise StoreUnavailable or StoreRefused."""

    async def has(self, notice_id: str) -> bool:
        """Return whether a notice with this id was stored, whether or not it has been sent."""
        with translate_errors("look for a notice"):
            found = await self.client.document(paths.event_path(notice_id)).get(retry=RETRY, timeout=CALL_SECONDS)
        return found.exists

    async def tell(self, notice: OutboxNotice, queue: TickQueue) -> None:
        """Store a notice, and schedule its chat's tick. An existing notice is left unchanged. Raises a QueueError."""
        if not await self.has(notice.id):
            with translate_errors("store a notice"):
                document = self.client.document(paths.event_path(notice.id))
                await document.set(encode_notice(notice), retry=RETRY, timeout=CALL_SECONDS)
        wake = remind_wake(notice, notice.set_at, owner="receipt")
        if wake is not None:
            await queue.enqueue(wake)


def encode_notice(notice: OutboxNotice) -> layout.Document:
    """Return a notice's document. If the notice is finished, `open_in` is null, so queries of open ones omit it."""
    listed = {"open_in": notice.chat if notice.next_at is not None else None, "open_for": None}
    return notice.model_dump() | listed | failure_of(notice.last)


def failure_of(last: Occurrence | None) -> layout.Document:
    """Return the field that marks a reminder or notice whose last occurrence failed or may not have arrived."""
    is_lost = last is not None and last.state in {OccurrenceState.FAILED, OccurrenceState.UNKNOWN}
    return {FAILED_AT: last.at if last is not None and is_lost else None}


def is_notice(document: layout.Document) -> bool:
    """Return whether a document of the reminders' collection is a notice."""
    return document.get("is_notice") is True
