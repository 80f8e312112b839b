"""The client of the reader function, which prepares files for models and makes voice notes."""

from collections.abc import AsyncIterator

import httpx

from shared.base.errors import IdentityUnavailable
from shared.base.logs import log
from shared.cloud.identity import IdentityTokens
from shared.reader.sandbox.prepared_frames import MOST_FRAME, prepared_in
from shared.tools.reader import traceparent
from shared.values.prepared import MOST_FILE_BYTES, TOO_LARGE, EncodedVoice, PreparedFile, encoded_voice

#: time limit of a call in seconds: a file waits and is decoded in at most 55 s, the function's time-out is 60 s, and
#: the function may have to start first
WHOLE_S = 65.0

NO_READER = "Files cannot be opened here: this deployment has no reader."
DOWN = "The part of lull that opens files does not answer now. Say so; it may work later."


class HttpMediaReader:
    """The client for the reader at one URL. Without a URL, every result has only a `problem`."""

    def __init__(self, url: str) -> None:
        """`url` is the function's address, or empty if there is none."""
        self._url, self._identity = url.rstrip("/"), IdentityTokens(url)

    async def prepare(self, kind: str, mime_type: str, content: bytes) -> PreparedFile:
        """Prepare a file for a model. If that fails, the result's `problem` says why."""
        return await self._make("media", {"kind": kind, "mime": mime_type}, content)

    async def encode_voice(self, sound: bytes, mime_type: str) -> EncodedVoice:
        """Make a voice note from a WAV file or from raw samples (`audio/L16;rate=24000;channels=1`, little-endian). If
        that fails, the result's `problem` says why.
        """
        return encoded_voice(await self._make("voice", {"mime": mime_type}, sound))

    async def _make(self, path: str, query: dict[str, str], content: bytes) -> PreparedFile:
        if not self._url:
            return PreparedFile(problem=NO_READER)
        if len(content) > MOST_FILE_BYTES:
            return PreparedFile(problem=TOO_LARGE, is_unsupported=True)
        try:
            return await self._ask(f"{self._url}/{path}", query, content)
        except (httpx.HTTPError, IdentityUnavailable, ValueError) as failure:
            log(f"the reader failed: {type(failure).__name__}")
            return PreparedFile(problem=DOWN, may_retry=True)

    async def _ask(self, url: str, query: dict[str, str], content: bytes) -> PreparedFile:
        headers = {**await self._identity.headers(), **traceparent(), "Content-Type": "application/octet-stream"}
        async with (
            httpx.AsyncClient(timeout=WHOLE_S, follow_redirects=False) as client,
            client.stream("POST", url, params=query, content=content, headers=headers) as answer,
        ):
            answer.raise_for_status()
            return prepared_in(await _read_bounded(answer.aiter_bytes()))


async def _read_bounded(chunks: AsyncIterator[bytes]) -> bytearray:
    """Return the bytes of an answer. Raises ValueError if there are more than MOST_FRAME."""
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > MOST_FRAME:
            raise ValueError(f"the reader's answer is longer than {MOST_FRAME:,} bytes")
    return body
