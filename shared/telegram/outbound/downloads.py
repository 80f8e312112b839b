"""The files that people sent, as one bot fetches them: getFile, then the bytes, whose address holds the bot's token."""

import asyncio
from typing import Final
from urllib.parse import quote

import httpx
from telegram import File

from shared.base.errors import FileTooLarge, FileUnknown, NotDelivered, Refused
from shared.telegram.outbound.client import CONNECT_SECONDS, TelegramClient, translated
from shared.values.prepared import MOST_FILE_BYTES, TOO_LARGE

METHOD: Final = "getFile"
#: statuses of a server that fails, or wants fewer calls: the same may be fetched later
_LATER: Final = frozenset({408, 429})


class TelegramDownloads(TelegramClient):
    """What fetches the files of one bot. No error tells an address.

    Raises a ChannelError, FileTooLarge among others.
    """

    async def download(self, file_id: str, within_s: float) -> bytes:
        """The bytes of a file. Raises a ChannelError: FileTooLarge, FileUnknown, NotDelivered if it takes too long."""
        late = f"Telegram took more than {within_s:g} s to give a file"
        try:
            async with asyncio.timeout(within_s):
                found = await translated(self._client().get_file(file_id))
                return await self._fetched(found)
        except TimeoutError:
            raise NotDelivered(late) from None
        except (httpx.HTTPError, httpx.InvalidURL) as failed:
            error = NotDelivered(f"a file could not be downloaded from Telegram ({type(failed).__name__})")
        raise error  # outside, so that nothing of the foreign error is in its chain

    async def custom_emoji_file(self, emoji_id: str) -> str:
        """The id by which the file of a custom emoji is downloaded. Raises a ChannelError: FileUnknown if none."""
        found = await translated(self._client().get_custom_emoji_stickers([emoji_id]))
        if not found:
            raise FileUnknown("Telegram knows no such custom emoji")
        return found[0].file_id

    async def _fetched(self, found: File) -> bytes:
        if (found.file_size or 0) > MOST_FILE_BYTES:
            raise FileTooLarge(TOO_LARGE)
        place = (found.file_path or "").removeprefix(f"{self._files_url}/")
        url = f"{self._files_url}/{quote(place)}"
        async with (
            httpx.AsyncClient(timeout=self._answer_seconds, follow_redirects=False) as client,
            client.stream("GET", url, timeout=httpx.Timeout(self._answer_seconds, connect=CONNECT_SECONDS)) as answer,
        ):
            if not answer.is_success:
                raise _failed(answer.status_code)
            body = bytearray()
            async for chunk in answer.aiter_bytes():
                body += chunk
                if len(body) > MOST_FILE_BYTES:
                    raise FileTooLarge(TOO_LARGE)
        return bytes(body)


def _failed(status: int) -> Refused | NotDelivered:
    """What a status of the file's server means; a file that it just named and does not have is there soon, or never."""
    if status >= 500 or status in _LATER or status == httpx.codes.NOT_FOUND:
        return NotDelivered(f"Telegram did not give a file that it had named ({status})")
    return Refused(f"Telegram refused to give a file that it had named ({status})")
