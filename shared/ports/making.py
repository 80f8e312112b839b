"""The port to what makes files for tasks before they are delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.models.chat_key import ChatKey
    from shared.models.made import MadeFile, WantedFile


class Maker(Protocol):
    """What makes voice notes and pictures for one agent. A failure of any kind is told in `problem`."""

    async def make(self, key: str, wanted: WantedFile, chat: ChatKey) -> MadeFile:
        """What came of making something for a chat; it is held under a key of the task's, for a while."""

    def made(self, key: str) -> MadeFile | None:
        """What is held under a key; nothing is made."""
