"""Records of what owners did in the console: who, when, with which button, and to what. They quote nobody."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from google.api_core.exceptions import AlreadyExists
from google.cloud.firestore_v1.async_document import AsyncDocumentReference
from google.cloud.firestore_v1.async_query import AsyncQuery

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import CONSOLE_RECORDS_BY_DATE, NAME, Cursor

KEPT_RECORDS: Final = timedelta(days=90)


@dataclass(frozen=True, kw_only=True)
class ConsoleRecord:
    """One action of an owner (`person`). `action` names the button, such as `rename`.

    `about` is the id of the changed thing. It is never a person's id, so a record identifies nobody but the owner.
    """

    id: str
    at: datetime
    person: int
    agents: Sequence[str]
    action: str
    about: str = ""


@dataclass(frozen=True, kw_only=True)
class Click:
    """A press of a button in the console. `at` is the time of the first request for it.

    If no response arrives, the page repeats the request; then `is_repeated` is True, and the change may have been made
    already. Changes use `at` as their time, so that a repetition has the same result.
    """

    id: str
    at: datetime
    is_repeated: bool = False


class FirestoreConsoleRecords(FirestoreStore):
    """The records of all owners. Every method may raise StoreUnavailable or StoreRefused."""

    async def keep(self, record: ConsoleRecord) -> bool:
        """Store a record. Return False if there is a record with this id already."""
        with translate_errors("store a record of the console"):
            try:
                await self._document(record.id).create(encode_record(record), retry=RETRY, timeout=CALL_SECONDS)
            except AlreadyExists:
                return False
        return True

    async def page(self, person: int, after: Cursor | None, limit: int) -> Sequence[ConsoleRecord]:
        """Return records of a person, the newest first, beginning after this position in the list."""
        query = CONSOLE_RECORDS_BY_DATE.on(self.client, person).order_by(NAME, direction=AsyncQuery.DESCENDING)
        if after is not None:
            field = CONSOLE_RECORDS_BY_DATE.order[0].field
            query = query.start_after({field: after.at, NAME: self.client.document(after.path)})
        with translate_errors("list records of the console"):
            found = await query.limit(limit).get(retry=RETRY, timeout=CALL_SECONDS)
        return [_record(one.id, one.to_dict() or {}) for one in found]

    async def begin(self, record: ConsoleRecord) -> Click:
        """Store a click's record. For a repeated request, keep the first record and return a Click with its time."""
        if await self.keep(record):
            return Click(id=record.id, at=record.at)
        with translate_errors("read a record of the console"):
            found = await self._document(record.id).get(["at"], retry=RETRY, timeout=CALL_SECONDS)
        first = (found.to_dict() or {}).get("at")
        return Click(id=record.id, at=first if isinstance(first, datetime) else record.at, is_repeated=True)

    async def remove(self, record_id: str) -> None:
        """Delete the record of a change that was refused."""
        with translate_errors("delete a record of the console"):
            await self._document(record_id).delete(retry=RETRY, timeout=CALL_SECONDS)

    def _document(self, record_id: str) -> AsyncDocumentReference:
        return self.client.document(paths.console_record_path(record_id))


def look_id(person: int, action: str, about: str, at: datetime) -> str:
    """Return the id of the record that a person read something. Further readings on the same day have the same id."""
    return hashlib.sha256(f"{person} {action} {about} {at.date().isoformat()}".encode()).hexdigest()[:40]


def _record(record_id: str, stored: Mapping[str, Any]) -> ConsoleRecord:
    return ConsoleRecord(
        id=record_id,
        at=stored["at"],
        person=stored["person"],
        agents=tuple(stored.get("agents") or ()),
        action=str(stored.get("action") or ""),
        about=str(stored.get("about") or ""),
    )


def encode_record(record: ConsoleRecord) -> dict[str, Any]:
    """Return the record's document with its TTL."""
    return asdict(record) | {"agents": list(record.agents), layout.EXPIRES: record.at + KEPT_RECORDS}


def record_id(person: int, action: str, click: str) -> str:
    """Return the id of a click's record. It is a hash, so that the record does not reveal the click's id."""
    return hashlib.sha256(f"{person} {action} {click}".encode()).hexdigest()[:32]
