"""The port to what was said before, as tools and prompts ask for it: within the asker's sight, whatever they ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.values.place import Asker
    from shared.values.recalled import Findings, SpokenTurns, Wanted


class Recall(Protocol):
    """What was said, for whoever may see it. Raises StoreUnavailable or StoreRefused."""

    async def search(self, asker: Asker, wanted: Wanted) -> Findings:
        """What was said about something, where the asker may see it."""

    async def turns(self, asker: Asker, conversation: str, first: int | None, last: int | None) -> SpokenTurns | None:
        """Some turns of a conversation, the newest if none are named; none if the asker may see no such."""
