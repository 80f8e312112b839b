"""No search at all, where the owner wants none."""

from shared.errors import ToolFailed
from shared.models.chat_key import ChatKey
from shared.models.search_result import Found


class NoSearch:
    """Refuses each search."""

    async def search(self, query: str, chat: ChatKey, person: int) -> Found:
        """Raises ToolFailed."""
        raise ToolFailed("Whoever runs this agent lets nobody search the web. Say so, and guess nothing.")
