"""Searches of scheduled runs: unread updates, overdue plans, files to describe, resting conversations and others."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, ProjectStore, translate_errors
from shared.chat.store.queries import (
    CONVERSATIONS_BY_EMBEDDING,
    CONVERSATIONS_DUE,
    DELETIONS_DUE,
    EXPORTS_DUE,
    OPEN_REFERENCES,
    OVERDUE,
    REMINDERS_BY_DATE,
    UNREAD_ANYWHERE,
    Cursor,
    PageQuery,
    Query,
    StalledChat,
    encode_cursor,
    page_of,
)
from shared.values.notes import DueConversation

#: the largest number of deletions that one sweep continues
MOST_DELETIONS: Final = 50


class FirestoreSweep(ProjectStore):
    """Searches for work that was left over. Create one for each function instance, inside the running event loop.

    Every method may raise StoreUnavailable or StoreRefused.
    """

    async def unread(self, wanted: PageQuery) -> Sequence[StalledChat]:
        """Return the chats with unread updates. The path in each cursor is an update's."""
        return await self._find(wanted, UNREAD_ANYWHERE, False)

    async def overdue(self, wanted: PageQuery) -> Sequence[StalledChat]:
        """Return the chats with an overdue plan, each with a cursor that has the path of the chat."""
        return await self._find(wanted, OVERDUE)

    async def reminders(self, wanted: PageQuery) -> Sequence[StalledChat]:
        """Return the chats with due reminders. The path in each cursor is a reminder's."""
        with translate_errors("find reminders that were left over"):
            page = page_of(self.client, REMINDERS_BY_DATE, wanted, also=["chat"])
            found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
        field = REMINDERS_BY_DATE.order[0].field
        chats = [str((one.to_dict() or {}).get("chat")) for one in found]
        cursors = [Cursor(at=one.get(field), path=one.reference.path) for one in found]
        return [StalledChat(chat=chat, cursor=cursor) for chat, cursor in zip(chats, cursors, strict=True)]

    async def has_exports(self, now: datetime) -> bool:
        """Return whether an export is due. Costs one read, however many are due."""
        first = PageQuery(before=now, beyond=None, limit=1)
        with translate_errors("find exports that are due"):
            found = await page_of(self.client, EXPORTS_DUE, first).get(retry=RETRY, timeout=CALL_SECONDS)
        return bool(found)

    async def has_files(self, now: datetime) -> bool:
        """Return whether it is time to describe a file for some chat. Costs one read, however many files are due."""
        first = PageQuery(before=now, beyond=None, limit=1)
        with translate_errors("find files that were left over"):
            found = await page_of(self.client, OPEN_REFERENCES, first, True).get(retry=RETRY, timeout=CALL_SECONDS)
        return bool(found)

    async def deletions(self, now: datetime) -> Sequence[str]:
        """Return the ids of up to MOST_DELETIONS deletions that are due. Costs one read if there are none."""
        wanted = PageQuery(before=now, beyond=None, limit=MOST_DELETIONS)
        with translate_errors("find erasures that were left over"):
            found = await page_of(self.client, DELETIONS_DUE, wanted).get(retry=RETRY, timeout=CALL_SECONDS)
        return [one.id for one in found]

    async def _find(self, wanted: PageQuery, query: Query, *values: object) -> list[StalledChat]:
        with translate_errors("find what was left over"):
            found = await page_of(self.client, query, wanted, *values).get(retry=RETRY, timeout=CALL_SECONDS)
        cursors = [Cursor(at=one.get(query.order[0].field), path=one.reference.path) for one in found]
        return [StalledChat(chat=paths.chat_id_in(cursor.path), cursor=cursor) for cursor in cursors]

    async def cursors(self) -> Mapping[str, Cursor]:
        """Return the cursors that the last sweep stored, by kind of leftover work."""
        with translate_errors("read the sweep's cursors"):
            snapshot = await self.client.document(paths.SWEEP_CURSORS).get(retry=RETRY, timeout=CALL_SECONDS)
        return {kind: Cursor(**cursor) for kind, cursor in (snapshot.to_dict() or {}).items()}

    async def keep_cursors(self, cursors: Mapping[str, Cursor]) -> None:
        """Store the cursors in place of the previous ones."""
        document = {kind: encode_cursor(cursor) for kind, cursor in cursors.items()}
        with translate_errors("store the sweep's cursors"):
            await self.client.document(paths.SWEEP_CURSORS).set(document, retry=RETRY, timeout=CALL_SECONDS)

    async def due(self, now: datetime, limit: int) -> Sequence[DueConversation]:
        """Return up to `limit` conversations that are due for notes. Costs one read if there are none."""
        wanted = PageQuery(before=now, beyond=None, limit=limit)
        with translate_errors("find conversations that rest"):
            found = await page_of(self.client, CONVERSATIONS_DUE, wanted).get(retry=RETRY, timeout=CALL_SECONDS)
        return [DueConversation(conversation=one.id, due_at=one.get("due_at")) for one in found]

    async def has_rest(self, now: datetime, model: str) -> bool:
        """Return whether a conversation is due for notes, or has vectors that another model made."""
        return bool(await self.due(now, 1)) or (bool(model) and bool(await self.embedded_by_another(model, 1)))

    async def embedded_by_another(self, model: str, limit: int) -> Sequence[str]:
        """Return the ids of conversations whose vectors were made by another model than `model`.

        Conversations without vectors are not among them; `due` finds these.
        """
        query = CONVERSATIONS_BY_EMBEDDING.on(self.client).select([]).limit(limit)
        query = query.where(filter=FieldFilter("embedding_model", "not-in", [model, ""]))
        with translate_errors("find vectors of another model"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one.id for one in found]
