"""The port to what decodes files that strangers made: the reader function, and its own process behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.values.prepared import PreparedFile


class MediaPreparer(Protocol):
    """What makes of a file what a model takes, where it can do no harm."""

    async def prepare(self, kind: str, mime_type: str, content: bytes) -> PreparedFile:
        """What came of it; a failure of any kind is told in `problem`.

        `kind` is a MediaKind and says what a file is for (a sticker has fewer frames than a film); what it is, is read
        from its bytes. Of `mime_type` only a text's charset counts.
        """
