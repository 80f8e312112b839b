"""The interface of decoders of untrusted files: the client of the reader function, and the reader's own processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.values.prepared import PreparedFile


class MediaPreparer(Protocol):
    """Prepares an untrusted file for a model, in an isolated process."""

    async def prepare(self, kind: str, mime_type: str, content: bytes) -> PreparedFile:
        """Prepare a file. If that fails for any reason, `problem` in the result says why.

        `kind` is a MediaKind, the way in which the file is used: a sticker gets fewer frames than a film. The real type
        is read from the bytes. `mime_type` only gives the charset of a text.
        """
