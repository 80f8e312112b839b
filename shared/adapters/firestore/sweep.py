"""The sweep's part of Firestore: what lies unread or overdue in any chat, and how far the last sweep came."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.adapters.firestore.calls import CALL_SECONDS, RETRY, translated
from shared.adapters.firestore.queries import OVERDUE, UNREAD_ANYWHERE
from shared.ports import LeftOver, Mark, Stretch

MARKS = "sweeps/marks"
#: Firestore's name for a document's own path in an order
NAME = "__name__"


class FirestoreSweep:
    """What was left over. One client per instance, made inside the running loop."""

    def __init__(self, project: str) -> None:
        """Open the client; the emulator's address is the official client's own setting."""
        self.client = AsyncClient(project=project)

    async def unread(self, stretch: Stretch) -> Sequence[LeftOver]:
        """Updates that no tick has read; each path is `chats/{chat}/inbox/{update}`."""
        query = UNREAD_ANYWHERE.on(self.client, False)
        return await self._stretch_of(query, UNREAD_ANYWHERE.order[0].field, stretch)

    async def overdue(self, stretch: Stretch) -> Sequence[LeftOver]:
        """Chats with a plan that was to go on; each path is `chats/{chat}`."""
        return await self._stretch_of(OVERDUE.on(self.client), OVERDUE.order[0].field, stretch)

    async def _stretch_of(self, query: AsyncQuery, field: str, stretch: Stretch) -> list[LeftOver]:
        """Only the ordering field is read: an update may be of a megabyte."""
        query = query.where(filter=FieldFilter(field, "<", stretch.before)).order_by(NAME).select([field])
        if stretch.beyond is not None:
            there = self.client.document(stretch.beyond.path)
            query = query.start_after({field: stretch.beyond.at, NAME: there})
        with translated("find what was left over"):
            found = await query.limit(stretch.limit).get(retry=RETRY, timeout=CALL_SECONDS)
        return [_left_over(snapshot, snapshot.get(field)) for snapshot in found]

    async def marks(self) -> Mapping[str, Mark]:
        """The marks that the last sweep left."""
        with translated("read the sweep's marks"):
            snapshot = await self.client.document(MARKS).get(retry=RETRY, timeout=CALL_SECONDS)
        return {kind: Mark(**mark) for kind, mark in (snapshot.to_dict() or {}).items()}

    async def keep_marks(self, marks: Mapping[str, Mark]) -> None:
        """Replace the marks."""
        document = {kind: {"at": mark.at, "path": mark.path} for kind, mark in marks.items()}
        with translated("keep the sweep's marks"):
            await self.client.document(MARKS).set(document, retry=RETRY, timeout=CALL_SECONDS)


def _left_over(snapshot: DocumentSnapshot[Any], at: datetime) -> LeftOver:
    path = snapshot.reference.path
    return LeftOver(chat=path.split("/")[1], mark=Mark(at=at, path=path))
