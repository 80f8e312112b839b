"""The ports to stickers: where a persona's are found, and what is known of what they show."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.models.media import Description, MediaRef
    from shared.models.stickers import SetSticker


class Stickers(Protocol):
    """The stickers that one agent may send."""

    async def find(self, set_name: str, name: str, *, anew: bool = False) -> SetSticker | None:
        """The sticker of that set and name; none: the agent has none such, or Telegram does not tell.

        `anew`: Telegram is asked, since it did not know the file that was found before.
        Raises StoreUnavailable or StoreRefused.
        """

    def known(self, set_name: str, name: str) -> SetSticker | None:
        """What `find` found last; nothing is asked."""

    async def listed(self) -> str:
        """What can be sent, for the prompt; empty: nothing. Raises StoreUnavailable or StoreRefused."""


class StickerDescriptions(Protocol):
    """What is known of what stickers show. Raises StoreUnavailable or StoreRefused."""

    async def descriptions(self, stickers: Collection[MediaRef]) -> Mapping[str, Description]:
        """By unique id; of what is not described yet, or shows nothing, nothing.

        The emoji of each is its name in its set.
        """
