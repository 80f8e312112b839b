"""Recall: what was said before, within the sight of whoever asks."""

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
    """What was said to one agent."""

    visible_chats: VisibleChatsFinder
    searcher: Search
    kept: FirestoreTurns

    async def search(self, asker: Asker, wanted: RecallQuery) -> RecallHits:
        """What was said about something, where the asker may see it."""
        return await self.searcher.search(await self.visible_chats.of(asker), wanted)

    async def turns(self, asker: Asker, conversation: str, first: int | None, last: int | None) -> RecalledTurns | None:
        """Some turns of a conversation, the newest if none are named; none if the asker may see no such."""
        found = await self.kept.of(conversation, first, last)
        if found is None or not (await self.visible_chats.of(asker)).holds(found.source.place):
            return None
        return found
