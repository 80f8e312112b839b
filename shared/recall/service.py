"""Searches and fetches earlier conversations, only in the chats that the asker may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.recall.search import Search
from shared.values.place import Asker
from shared.values.recalled import RecalledTurns, RecallHits, RecallQuery

if TYPE_CHECKING:
    from shared.recall.store.segments import FirestoreTurns
    from shared.recall.visible_chats import VisibleChatsFinder


@dataclass(frozen=True, kw_only=True)
class RecallService:
    """Searches and fetches earlier conversations of one agent."""

    visible_chats: VisibleChatsFinder
    searcher: Search
    stored_turns: FirestoreTurns

    async def search(self, asker: Asker, query: RecallQuery) -> RecallHits:
        """Search the chats that the asker may see, and return the results."""
        return await self.searcher.search(await self.visible_chats.of(asker), query)

    async def turns(self, asker: Asker, conversation: str, first: int | None, last: int | None) -> RecalledTurns | None:
        """Return turns of a conversation, by default the newest; None if the asker may not see the conversation."""
        found = await self.stored_turns.of(conversation, first, last)
        if found is None or not (await self.visible_chats.of(asker)).holds(found.source.place):
            return None
        return found
