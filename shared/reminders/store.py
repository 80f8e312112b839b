"""The tick's part of Firestore that keeps reminders: reading them. The records in `documents.py` write them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.chat.store.queries import REMINDERS_OF_CHAT, REMINDERS_OF_PERSON
from shared.reminders.documents import decode_due, owner_key
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Reminder

#: what orders a chat's reminders
NEXT = REMINDERS_OF_CHAT.order[0].field
#: a reminder that this version does not understand is looked at again after so long; another version may
UNREADABLE_WAITS: Final = timedelta(days=1)


class FirestoreReminders:
    """The reminders in Firestore. Every call raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def due(self, chats: Sequence[str], now: datetime, limit: int) -> Sequence[Reminder | OutboxNotice]:
        """Return reminders and notices of the chats with these ids that have come, the oldest first."""
        query = REMINDERS_OF_CHAT.on(self.client, list(chats)).where(filter=FieldFilter(NEXT, "<=", now)).limit(limit)
        with translated("find reminders that are due"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        due = [(one.reference, _readable(one)) for one in found]
        for reference in (where for where, one in due if one is None):  # else the sweep wakes its chat for ever
            with translated("put a reminder off"):
                await reference.update({NEXT: now + UNREADABLE_WAITS}, retry=RETRY, timeout=CALL_SECONDS)
        return [one for _, one in due if one is not None]

    async def find(self, reminder_id: str) -> Reminder | None:
        """One reminder, open or not; none if there is no such."""
        found = await self.find_due(reminder_id)
        return found if isinstance(found, Reminder) else None

    async def find_due(self, due_id: str) -> Reminder | OutboxNotice | None:
        """One reminder or notice, open or not; none if there is no such."""
        with translated("read a reminder"):
            found = await self.client.document(paths.event_path(due_id)).get(retry=RETRY, timeout=CALL_SECONDS)
        return _readable(found) if found.exists else None

    async def open_of_chat(self, chats: Sequence[str], limit: int) -> Sequence[Reminder]:
        """The open reminders of the chats with these ids, by when they come."""
        return [one for one in await self.to_come(chats, limit) if isinstance(one, Reminder)]

    async def to_come(self, chats: Sequence[str], limit: int) -> Sequence[Reminder | OutboxNotice]:
        """Return reminders and notices of the chats with these ids that are to come, by when they do."""
        with translated("list reminders"):
            found = (
                await REMINDERS_OF_CHAT.on(self.client, list(chats)).limit(limit).get(retry=RETRY, timeout=CALL_SECONDS)
            )
        return [one for one in map(_readable, found) if one is not None]

    async def open_count(self, agent: str, person: int) -> int:
        """How many are open of a person, in all chats with an agent; counting costs one read."""
        count: Any = REMINDERS_OF_PERSON.on(
            self.client, owner_key(agent, person)
        ).count()  # a decorator hides its types
        with translated("count reminders"):
            counts = await count.get(retry=RETRY, timeout=CALL_SECONDS)
        return int(counts[0][0].value)


def _readable(document: DocumentSnapshot[Any]) -> Reminder | OutboxNotice | None:
    """The reminder or notice; none if this version does not know its shape: others of its chat come all the same."""
    try:
        return decode_due(document.to_dict() or {})
    except ValidationError:
        log("a reminder is of a shape that this version does not know", id=document.id)
        return None
