"""The port to the decoder of untrusted files: the reader function, and the process behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.values.prepared import PreparedFile


class MediaPreparer(Protocol):
    """Prepares an untrusted file for a model, in isolation."""

    async def prepare(self, kind: str, mime_type: str, content: bytes) -> PreparedFile:
        """Prepare a file. A failure of any kind is told in `problem`.

        `kind` is a MediaKind and says what the file is used as (a sticker gets fewer frames than a film). The real type
        is read from the bytes. From `mime_type` only a text's charset is used.
        """
