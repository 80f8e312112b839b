"""Reads from Firestore what is stored about one entry of a transcript: pages, records of ticks, and the plan.

A person waits for the answer. So for one entry at most `MOST_READS` documents are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from google.cloud.firestore_v1.base_document import DocumentSnapshot

from shared.base.errors import PlanUnreadable
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.plans import decode_plan
from shared.chat.store.queries import NEWEST_PAGES, PAGES
from shared.chat.store.transcripts import TICK, readable
from shared.chat.tick_record import TickRecord, decode_record
from shared.tasks.plan import Plan
from shared.values.chat_key import ChatKey
from shared.values.message import AnyEntry

#: the pages read up to the entry and after it: a plan that waits may send its last message in a much later page
PAGES_BEFORE: Final = 4
PAGES_AFTER: Final = 8
#: the conversation, the pages, the chat's plan and an earlier one
MOST_READS: Final = 1 + PAGES_BEFORE + PAGES_AFTER + 2
_FIRST: Final = PAGES.order[0].field


@dataclass(frozen=True, kw_only=True)
class StoredConversation:
    """A conversation's document: its agent, the chat that it belongs to, and its title."""

    id: str
    agent: str
    chat: str
    title: str = ""
    chat_title: str = ""

    @property
    def key(self) -> ChatKey:
        """The key of the chat. Raises ValueError for a malformed one."""
        return ChatKey.from_id(self.chat)


@dataclass(frozen=True, kw_only=True)
class RecordedPage:
    """A page of a transcript: its entries, and the record of the tick that wrote them, if there is one."""

    entries: tuple[AnyEntry, ...]
    tick: TickRecord | None = None


class FirestoreRecordedPages(FirestoreStore):
    """Reads pages of transcripts, with what ticks recorded. Methods may raise StoreUnavailable or StoreRefused."""

    async def conversation(self, conversation: str) -> StoredConversation | None:
        """Return the conversation with this id; None if it is not stored."""
        if not conversation or "/" in conversation:
            return None  # no document can have such an id
        document = await self._document(paths.conversation_path(conversation))
        if document is None:
            return None
        return StoredConversation(id=conversation, **_texts(document, "agent", "chat", "title", "chat_title"))

    async def pages_around(self, conversation: str, seq: int) -> Sequence[RecordedPage]:
        """Return the page with entry `seq`, and some pages before and after it, in order."""
        document = self.client.document(paths.conversation_path(conversation))
        with translate_errors("read a transcript"):
            up_to = NEWEST_PAGES.on(document).start_at({_FIRST: seq}).limit(PAGES_BEFORE)
            before = await up_to.get(retry=RETRY, timeout=CALL_SECONDS)
            following = PAGES.on(document).start_after({_FIRST: seq}).limit(PAGES_AFTER)
            after = await following.get(retry=RETRY, timeout=CALL_SECONDS)
        return tuple(_decode_pages((*reversed(before), *after)))

    async def pages_up_to(self, conversation: str, seq: int, most: int) -> Sequence[RecordedPage]:
        """Return the page with entry `seq` and the pages before it, in order: at most `most` pages."""
        document = self.client.document(paths.conversation_path(conversation))
        with translate_errors("read a transcript"):
            up_to = NEWEST_PAGES.on(document).start_at({_FIRST: seq}).limit(most)
            found = await up_to.get(retry=RETRY, timeout=CALL_SECONDS)
        return tuple(_decode_pages([*reversed(found)]))

    async def newest_pages(self, conversation: str, most: int) -> Sequence[RecordedPage]:
        """Return the newest pages of a conversation, in order."""
        document = self.client.document(paths.conversation_path(conversation))
        with translate_errors("read a transcript"):
            found = await NEWEST_PAGES.on(document).limit(most).get(retry=RETRY, timeout=CALL_SECONDS)
        return tuple(_decode_pages([*reversed(found)]))

    async def plan(self, key: ChatKey, plan_id: str) -> Plan | None:
        """Return the chat's plan of this id, if it is still stored: the newest one, or one that was replaced."""
        newest = await self._plan(paths.plan_path(key))
        if newest is not None and newest.id == plan_id:
            return newest
        return await self._plan(paths.past_plan_path(key, plan_id))

    async def _plan(self, path: str) -> Plan | None:
        try:
            return decode_plan(await self._document(path))
        except PlanUnreadable:  # its error would quote what people wrote
            log("a plan cannot be read and is left out")
            return None

    async def _document(self, path: str) -> layout.Document | None:
        with translate_errors("read a document"):
            snapshot = await self.client.document(path).get(retry=RETRY, timeout=CALL_SECONDS)
        document: layout.Document | None = snapshot.to_dict()
        return document


def _decode_pages(pages: Sequence[DocumentSnapshot[Any]]) -> Iterator[RecordedPage]:
    for page in pages:
        tick = decode_record((page.to_dict() or {}).get(TICK))
        yield RecordedPage(entries=tuple(readable([page])), tick=tick)


def _texts(document: Mapping[str, Any], *names: str) -> dict[str, str]:
    return {name: str(document.get(name) or "") for name in names}
