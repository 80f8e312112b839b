"""The interface of the channels from which files are downloaded."""

from typing import Protocol


class FileDownloads(Protocol):
    """Downloads the files of one agent. Every call may raise a ChannelError.

    Telegram's adapter downloads with the agent's bot; web conversations keep their files in the bucket of media.
    """

    async def download(self, file_id: str, within_s: float) -> bytes:
        """Return a file's content. Raises FileTooLarge or FileUnknown, or NotDelivered after `within_s` seconds."""

    async def custom_emoji_file(self, emoji_id: str) -> str:
        """Return the file id of a custom emoji. Raises FileUnknown if there is no such emoji."""
