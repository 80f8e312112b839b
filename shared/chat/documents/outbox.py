"""Notices of the outbox. They lie beside reminders: one query finds all that is due in a chat."""

from collections.abc import Iterator
from datetime import timedelta

from shared.chat.records import KeptNotice
from shared.chat.store import layout, paths
from shared.chat.store.writes import Commit, Mode, Write, writes_of
from shared.values.outbox import OutboxNotice

#: after it is over: as long as a button below it may be pressed
KEPT = timedelta(days=30)


@writes_of.register
def _notice(record: KeptNotice, commit: Commit) -> Iterator[Write]:
    document = encode_notice(record.notice)
    if record.notice.next_at is None:
        document |= {layout.EXPIRES: commit.at + KEPT}
    yield Write(path=paths.event_path(record.notice.id), document=document, mode=Mode.SET)


def encode_notice(notice: OutboxNotice) -> layout.Document:
    """A notice's document. `open_in` is null once it is over; it is none of a person's own reminders."""
    return notice.model_dump() | {"open_in": notice.chat if notice.next_at is not None else None, "open_for": None}


def is_notice(document: layout.Document) -> bool:
    """Whether a document beside reminders is a notice's."""
    return document.get("is_notice") is True
