"""The list of conversations, a page at a time."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.paths import conversation_path
from shared.chat.store.queries import Cursor
from shared.console.conversations.rows import RowFilter, row_of
from shared.console.conversations.store import ROWS_AT_ONCE, ConsoleConversations, ListedConversation
from shared.console.route import OutdatedPage
from shared.values.trust import AccessList

#: documents that one request reads at most: a filter may leave out most of what is read
MOST_READ: Final = 200
#: how old an access list may be, from which tiers and names are shown
FRESH_LIST: Final = timedelta(seconds=10)


class ConversationList:
    """Reads pages of the list of conversations."""

    def __init__(self, client: AsyncClient, access_lists: FirestoreAccessLists) -> None:
        """`client` and `access_lists` belong to the running loop."""
        self._stored = ConsoleConversations(client)
        self._access_lists = access_lists

    async def page(
        self, agents: Sequence[str], kinds: Sequence[str], wanted: RowFilter, cursor: str
    ) -> Mapping[str, Any]:
        """Return `{"items", "next"}`. Costs a read for each conversation and for each agent.

        If the filter rejects most of what was read, a page has fewer rows than fit, or none, although `next` says that
        there are more. Raises BadRequest for a malformed cursor.
        """
        lists = await self.access_lists(agents)
        rows, read, after = list[dict[str, Any]](), 0, read_cursor(cursor)
        while read < MOST_READ and len(rows) < ROWS_AT_ONCE:
            limit = ROWS_AT_ONCE - len(rows)
            found = await self._stored.rows(agents, kinds, after, limit)
            read += len(found)
            rows += [row for row in rows_of(found, lists) if wanted.passes(row)]
            if len(found) < limit:
                return {"items": rows, "next": ""}
            after = cursor_at(found[-1])
        return {"items": rows, "next": write_cursor(after) if after is not None else ""}

    async def access_lists(self, agents: Sequence[str]) -> Mapping[str, AccessList]:
        """Return the access lists by agent. They may come from a cache, and be up to FRESH_LIST old."""
        found = await asyncio.gather(*(self._access_lists.access_list(agent, FRESH_LIST) for agent in agents))
        return dict(zip(agents, found, strict=True))


def rows_of(found: Sequence[ListedConversation], lists: Mapping[str, AccessList]) -> Sequence[dict[str, Any]]:
    """Return the rows of conversations. A conversation whose document names no chat is left out."""
    rows = (row_of(one, lists[agent]) for one in found if (agent := str(one.fields.get("agent"))) in lists)
    return [row for row in rows if row is not None]


def cursor_at(stored: ListedConversation) -> Cursor | None:
    """Return the cursor of a conversation: its position in the list. None if its document has no time."""
    at = stored.fields.get("updated_at")
    return Cursor(at=at, path=conversation_path(stored.id)) if isinstance(at, datetime) else None


def write_cursor(cursor: Cursor) -> str:
    """Return a cursor as text, for the field `next` of a page."""
    return f"{cursor.at.isoformat()} {cursor.path.rpartition('/')[2]}"


def read_cursor(text: str) -> Cursor | None:
    """Return the cursor in a text; None for "", the beginning of the list. Raises BadRequest."""
    if not text:
        return None
    at, _, conversation = text.partition(" ")
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None or not conversation or "/" in conversation:
        raise OutdatedPage("The cursor is malformed. Load the list from its beginning.")
    return Cursor(at=moment, path=conversation_path(conversation))
