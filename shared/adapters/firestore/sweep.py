"""The sweep's part of Firestore: what lies unread or overdue in any chat, and how far the last sweep came."""

from collections.abc import Mapping, Sequence

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore import layout
from shared.adapters.firestore.calls import CALL_SECONDS, RETRY, translated
from shared.adapters.firestore.queries import OVERDUE, UNREAD_ANYWHERE, Query, page_of
from shared.ports.upkeep import LeftOver, Mark, Stretch


class FirestoreSweep:
    """What was left over. One client per instance, made inside the running loop."""

    def __init__(self, project: str) -> None:
        """Open the client; the emulator's address is the official client's own setting."""
        self.client = AsyncClient(project=project)

    async def unread(self, stretch: Stretch) -> Sequence[LeftOver]:
        """Updates that no tick has read; each path is an update's."""
        return await self._found(stretch, UNREAD_ANYWHERE, False)

    async def overdue(self, stretch: Stretch) -> Sequence[LeftOver]:
        """Chats with a plan that was to go on; each path is a chat's."""
        return await self._found(stretch, OVERDUE)

    async def _found(self, stretch: Stretch, query: Query, *values: object) -> list[LeftOver]:
        with translated("find what was left over"):
            found = await page_of(self.client, query, stretch, *values).get(retry=RETRY, timeout=CALL_SECONDS)
        marks = [Mark(at=one.get(query.order[0].field), path=one.reference.path) for one in found]
        return [LeftOver(chat=layout.chat_id_in(mark.path), mark=mark) for mark in marks]

    async def marks(self) -> Mapping[str, Mark]:
        """The marks that the last sweep left."""
        with translated("read the sweep's marks"):
            snapshot = await self.client.document(layout.SWEEP_MARKS).get(retry=RETRY, timeout=CALL_SECONDS)
        return {kind: Mark(**mark) for kind, mark in (snapshot.to_dict() or {}).items()}

    async def keep_marks(self, marks: Mapping[str, Mark]) -> None:
        """Replace the marks."""
        document = {kind: layout.encode_mark(mark) for kind, mark in marks.items()}
        with translated("keep the sweep's marks"):
            await self.client.document(layout.SWEEP_MARKS).set(document, retry=RETRY, timeout=CALL_SECONDS)
