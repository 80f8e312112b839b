"""Reads the data for the operator's pages from Firestore.

A person waits for a page. So no call is retried, and all calls have short time limits.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot

from shared.chat.store import layout, paths
from shared.chat.store.calls import ProjectStore, translate_errors
from shared.chat.store.chats import decode_chat
from shared.chat.store.plans import decode_plan
from shared.chat.store.queries import CHATS_OF_ID, NEWEST_PAGES, NEWEST_UPDATE
from shared.chat.store.transcripts import readable, readable_window
from shared.media.store.media import decode_media, references_in
from shared.tasks.plan import Plan
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.message import AnyEntry
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia
from shared.values.update import InboxUpdate


@dataclass(frozen=True, kw_only=True)
class InspectedUpdate:
    """An update in the inbox. `trace` is the W3C trace id of the request that brought it."""

    update: InboxUpdate
    is_read: bool
    trace: str


@dataclass(frozen=True, kw_only=True)
class InspectedWindow:
    """The newest entries of a chat's conversation, and the number of the last one."""

    seq: int = 0
    entries: tuple[AnyEntry, ...] = ()


#: longest wait for one call, in seconds
CALL_SECONDS = 4.0
#: pages read from the end of a transcript
PAGES = 40


class FirestoreInspection(ProjectStore):
    """Reads the data that pages show about chats. Each instance has one client, made inside the running event loop.

    Calls may raise StoreUnavailable, also if Firestore is slow, or StoreRefused.
    """

    async def keys(self, chat_id: int) -> Sequence[ChatKey]:
        """Return the keys of the chats of all agents and topics with this Telegram chat id."""
        snapshots = await self._query(CHATS_OF_ID.on(self.client, chat_id), "find a chat")
        return [ChatKey(**snapshot.get("key")) for snapshot in snapshots]

    async def chat(self, key: ChatKey) -> Chat | None:
        document = await self._document(paths.chat_path(key))
        return decode_chat(key, document) if document else None

    async def window(self, key: ChatKey) -> InspectedWindow:
        """Return the chat's newest entries, if any. Entries that only a newer version of lull knows are left out."""
        document = await self._document(paths.window_path(key)) or {}
        return InspectedWindow(seq=document.get("seq", 0), entries=readable_window(document))

    async def update(self, key: ChatKey, update_id: int) -> InspectedUpdate | None:
        document = await self._document(paths.update_path(key, update_id))
        return _decode_update(key, document) if document else None

    async def newest_updates(self, key: ChatKey, limit: int) -> Sequence[InspectedUpdate]:
        """Return the newest updates, newest first, read or not."""
        newest = NEWEST_UPDATE.on(self.client.document(paths.chat_path(key))).limit(limit)
        return [
            _decode_update(key, snapshot.to_dict() or {}) for snapshot in await self._query(newest, "read an inbox")
        ]

    async def plan(self, key: ChatKey) -> Plan | None:
        """Return the chat's current or last plan. Raises PlanUnreadable."""
        return await self._plan(paths.plan_path(key))

    async def past_plan(self, key: ChatKey, plan_id: str) -> Plan | None:
        """Return a plan that a newer plan has replaced. Raises PlanUnreadable."""
        return await self._plan(paths.past_plan_path(key, plan_id))

    async def newest_entries(self, conversation: str) -> tuple[AnyEntry, ...]:
        """Return the entries of the last 40 pages of a conversation, oldest first.

        Entries that only a newer version knows are left out.
        """
        newest = NEWEST_PAGES.on(self.client.document(paths.conversation_path(conversation))).limit(PAGES)
        return tuple(readable(reversed(await self._query(newest, "read a transcript"))))

    async def kept_media(self, unique_ids: Collection[str]) -> Mapping[str, StoredMedia]:
        """Return the stored descriptions of these files, by unique id.

        Descriptions that only a newer version can read are left out.
        """
        found = await self._all([paths.media_path(one) for one in unique_ids])
        kept = (decode_media(snapshot.to_dict()) for snapshot in found)
        return {one.unique_id: one for one in kept if one is not None}

    async def references(self, ids: Collection[str]) -> Mapping[str, FileReference]:
        """Return the references with these ids, without missing ones and those that only a newer version reads."""
        found = await self._all([paths.reference_path(one) for one in ids])
        return {one.id: one for one in references_in(found)}

    async def _all(self, wanted: Sequence[str]) -> list[DocumentSnapshot[Any]]:
        """Return the documents at these paths, without those that do not exist. Costs one read for each path."""
        if not wanted:
            return []
        documents = [self.client.document(path) for path in wanted]
        with translate_errors("read what is known of files"):
            found = self.client.get_all(documents, retry=None, timeout=CALL_SECONDS)
            return [one async for one in found if one.exists]

    async def _plan(self, path: str) -> Plan | None:
        return decode_plan(await self._document(path))

    async def _document(self, path: str) -> layout.Document | None:
        with translate_errors("read a document"):
            snapshot = await self.client.document(path).get(retry=None, timeout=CALL_SECONDS)
        document: layout.Document | None = snapshot.to_dict()
        return document

    async def _query(self, query: AsyncQuery, what: str) -> list[Any]:
        with translate_errors(what):
            return list(await query.get(retry=None, timeout=CALL_SECONDS))


def _decode_update(key: ChatKey, document: layout.Document) -> InspectedUpdate:
    update = layout.decode_update(key, document)
    return InspectedUpdate(update=update, is_read=document["read"], trace=document.get("trace", ""))
