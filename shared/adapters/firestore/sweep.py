"""The sweep's part of Firestore: what lies unread, overdue or undescribed, and how far the last sweep came."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore import layout, paths
from shared.adapters.firestore.calls import CALL_SECONDS, RETRY, translated
from shared.adapters.firestore.queries import (
    OPEN_REFERENCES,
    OVERDUE,
    REMINDERS_BY_DATE,
    UNREAD_ANYWHERE,
    Query,
    page_of,
)
from shared.ports.upkeep import Cursor, LeftOver, PageQuery


class FirestoreSweep:
    """What was left over. One client per instance, made inside the running loop."""

    def __init__(self, project: str) -> None:
        """Open the client; the emulator's address is the official client's own setting."""
        self.client = AsyncClient(project=project)

    async def unread(self, wanted: PageQuery) -> Sequence[LeftOver]:
        """Updates that no tick has read; each path is an update's."""
        return await self._found(wanted, UNREAD_ANYWHERE, False)

    async def overdue(self, wanted: PageQuery) -> Sequence[LeftOver]:
        """Chats with a plan that was to go on; each path is a chat's."""
        return await self._found(wanted, OVERDUE)

    async def reminders(self, wanted: PageQuery) -> Sequence[LeftOver]:
        """Reminders whose time has come; each path is a reminder's."""
        with translated("find reminders that were left over"):
            page = page_of(self.client, REMINDERS_BY_DATE, wanted, also=["chat"])
            found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
        field = REMINDERS_BY_DATE.order[0].field
        cursors = [Cursor(at=one.get(field), path=one.reference.path) for one in found]
        return [LeftOver(chat=one.get("chat"), cursor=cursor) for one, cursor in zip(found, cursors, strict=True)]

    async def has_files(self, now: datetime) -> bool:
        """Whether an open reference to a file was to be looked after before now; one read, however many there are."""
        first = PageQuery(before=now, beyond=None, limit=1)
        with translated("find files that were left over"):
            found = await page_of(self.client, OPEN_REFERENCES, first, True).get(retry=RETRY, timeout=CALL_SECONDS)
        return bool(found)

    async def _found(self, wanted: PageQuery, query: Query, *values: object) -> list[LeftOver]:
        with translated("find what was left over"):
            found = await page_of(self.client, query, wanted, *values).get(retry=RETRY, timeout=CALL_SECONDS)
        cursors = [Cursor(at=one.get(query.order[0].field), path=one.reference.path) for one in found]
        return [LeftOver(chat=paths.chat_id_in(cursor.path), cursor=cursor) for cursor in cursors]

    async def cursors(self) -> Mapping[str, Cursor]:
        """The cursors that the last sweep left."""
        with translated("read the sweep's cursors"):
            snapshot = await self.client.document(paths.SWEEP_CURSORS).get(retry=RETRY, timeout=CALL_SECONDS)
        return {kind: Cursor(**cursor) for kind, cursor in (snapshot.to_dict() or {}).items()}

    async def keep_cursors(self, cursors: Mapping[str, Cursor]) -> None:
        """Replace the cursors."""
        document = {kind: layout.encode_cursor(cursor) for kind, cursor in cursors.items()}
        with translated("keep the sweep's cursors"):
            await self.client.document(paths.SWEEP_CURSORS).set(document, retry=RETRY, timeout=CALL_SECONDS)
