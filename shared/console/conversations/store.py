"""Reads conversations for the console, and stores up to which turn the owner has seen each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from google.api_core.exceptions import NotFound as NoDocument
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import (
    CONVERSATIONS_CHANGED_LATELY,
    CONVERSATIONS_OF_AGENT,
    CONVERSATIONS_OF_KIND,
    NAME,
    NEWEST_PAGES,
    PAGES,
    Cursor,
)

#: documents of one read of the list
ROWS_AT_ONCE: Final = 50
#: pages of a transcript in one read; a page has the entries of one tick
PAGES_AT_ONCE: Final = 30

#: fields of a conversation's document that its row shows. The others are larger, and are read when it is opened
ROW_FIELDS: Final = (
    "agent", "authors", "changed_at", "chat", "chat_kind", "chat_title", "cost", "entries", "is_cost_partial",
    "is_current", "is_turned_away", "last_words", "looked_turn", "manually_named", "opening", "title", "topics",
    "turns", "updated_at",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ListedConversation:
    """A conversation's id, and its document as it is stored."""

    id: str
    fields: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class StoredPage:
    """A page of a transcript: the number of its first entry, and its entries as they are stored."""

    first: int
    entries: Sequence[Any]


class ConsoleConversations(FirestoreStore):
    """Reads the conversations of all agents. Every method may raise StoreUnavailable or StoreRefused."""

    async def rows(
        self, agents: Sequence[str], kinds: Sequence[str], after: Cursor | None, limit: int
    ) -> Sequence[ListedConversation]:
        """Return conversations of these agents, the most recent first, with the fields that the list's rows need.

        `kinds` are kinds of chat; if empty, all kinds count. Conversations without a message are left out. `after` is
        the position in the list after which to begin.
        """
        if not agents:
            return ()
        query = (
            CONVERSATIONS_OF_KIND.on(self.client, list(agents), list(kinds))
            if kinds
            else CONVERSATIONS_OF_AGENT.on(self.client, list(agents))
        )
        page = query.order_by(NAME, direction=AsyncQuery.DESCENDING).select(ROW_FIELDS)
        if after is not None:
            field = CONVERSATIONS_OF_AGENT.order[0].field
            page = page.start_after({field: after.at, NAME: self.client.document(after.path)})
        with translate_errors("list conversations"):
            found = await page.limit(limit).get(retry=RETRY, timeout=CALL_SECONDS)
        return [_listed_conversation(one) for one in found]

    async def changed_since(self, agents: Sequence[str], moment: datetime, limit: int) -> Sequence[ListedConversation]:
        """Return conversations of these agents whose documents changed after a moment, in the order of the changes."""
        query = changed_lately(self.client, agents, moment).select(ROW_FIELDS).limit(limit)
        with translate_errors("find changed conversations"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [_listed_conversation(one) for one in found]

    async def find(self, conversation: str) -> ListedConversation | None:
        """Return a conversation with all fields; None if there is none."""
        with translate_errors("read a conversation"):
            found = await self.client.document(paths.conversation_path(conversation)).get(
                retry=RETRY, timeout=CALL_SECONDS
            )
        return _listed_conversation(found) if found.exists else None

    async def pages(self, conversation: str, before: int | None, limit: int) -> Sequence[StoredPage]:
        """Return the newest pages of a transcript, or those before entry number `before`; the oldest page is first."""
        query = NEWEST_PAGES.on(self.client.document(paths.conversation_path(conversation)))
        if before is not None:
            query = query.start_after({NEWEST_PAGES.order[0].field: before})
        with translate_errors("read a transcript"):
            found = await query.limit(limit).get(retry=RETRY, timeout=CALL_SECONDS)
        return [_page(one) for one in reversed(found)]

    async def pages_after(self, conversation: str, seq: int, limit: int) -> Sequence[StoredPage]:
        """Return the pages of a transcript that begin after entry number `seq`, the oldest page first."""
        query = PAGES.on(self.client.document(paths.conversation_path(conversation)))
        with translate_errors("read a transcript"):
            found = (
                await query.start_after({PAGES.order[0].field: seq}).limit(limit).get(retry=RETRY, timeout=CALL_SECONDS)
            )
        return [_page(one) for one in found]

    async def look(self, conversation: str, turn: int) -> bool:
        """Store `turn` as the newest turn that the owner has seen. Return False if there is no such conversation."""
        document = self.client.document(paths.conversation_path(conversation))
        with translate_errors("store a look at a conversation"):
            try:
                await document.update({"looked_turn": turn}, retry=RETRY, timeout=CALL_SECONDS)
            except NoDocument:
                return False
        return True


def changed_lately(client: AsyncClient, agents: Sequence[str], moment: datetime) -> AsyncQuery:
    """Return the query for the conversations of these agents whose documents changed after a moment."""
    query = CONVERSATIONS_CHANGED_LATELY.on(client, list(agents))
    return query.where(filter=FieldFilter(CONVERSATIONS_CHANGED_LATELY.order[0].field, ">", moment))


def _listed_conversation(snapshot: DocumentSnapshot[Any]) -> ListedConversation:
    return ListedConversation(id=snapshot.id, fields=snapshot.to_dict() or {})


def _page(snapshot: DocumentSnapshot[Any]) -> StoredPage:
    stored = snapshot.to_dict() or {}
    entries = stored.get("entries")
    first = stored.get("first_seq")
    return StoredPage(
        first=first if isinstance(first, int) else 0, entries=entries if isinstance(entries, list) else ()
    )
