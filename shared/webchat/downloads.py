"""Downloads of an agent's files: files of web conversations from the bucket, all others through the agent's bot."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.base.errors import BlobsUnavailable, FileUnknown, NotDelivered
from shared.webchat.files import is_web_file

if TYPE_CHECKING:
    from shared.telegram.outbound.client import TelegramDownloads
    from shared.webchat.files import WebFiles


@dataclass(frozen=True, kw_only=True)
class AgentDownloads:
    """Downloads one agent's files. `web` is None if this deployment stores no files.

    Every call may raise a ChannelError.
    """

    telegram: "TelegramDownloads"
    web: "WebFiles | None"

    async def download(self, file_id: str, within_s: float) -> bytes:
        """Return a file's content. Raises FileUnknown if the file is gone, NotDelivered after `within_s` seconds."""
        if not is_web_file(file_id):
            return await self.telegram.download(file_id, within_s)
        try:
            async with asyncio.timeout(within_s):
                content = await self.web.load(file_id) if self.web is not None else None
        except (BlobsUnavailable, TimeoutError) as error:
            raise NotDelivered(f"the media bucket did not return a file ({type(error).__name__})") from None
        if content is None:
            raise FileUnknown("a file of a web conversation is no longer stored")
        return content

    async def custom_emoji_file(self, emoji_id: str) -> str:
        """Return the file id of a custom emoji, from Telegram. Web conversations have no custom emoji."""
        return await self.telegram.custom_emoji_file(emoji_id)
