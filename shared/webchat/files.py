"""The files of web conversations in the media bucket: what the owner uploaded, and what the agent sent.

A file is named by its content, in a form that the ids of Telegram's files have too. So it is described, shown to
models, and deleted like those.
"""

import hashlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from shared.values.stored_media import StoredPart

if TYPE_CHECKING:
    from shared.media.blobs import StorageBlobs

_ID: Final = re.compile(r"web-[0-9a-f]{40}", re.ASCII)


def file_id_of(content: bytes) -> str:
    """Return the id of a file with this content."""
    return f"web-{hashlib.sha256(content).hexdigest()[:40]}"


def is_web_file(file_id: str) -> bool:
    """Return whether an id is one of a file of a web conversation."""
    return _ID.fullmatch(file_id) is not None


def stored_file(file_id: str, size: int = 0, mime_type: str = "application/octet-stream") -> StoredPart:
    """Return the object in the bucket that holds a file as it was uploaded."""
    return StoredPart(path=f"{file_id}/file", mime_type=mime_type, size=size)


class WebFiles:
    """The files of web conversations. Every method raises BlobsUnavailable."""

    def __init__(self, blobs: Callable[[], "StorageBlobs"]) -> None:
        """`blobs` makes the bucket's client when it is first needed."""
        self._blobs = blobs

    async def keep(self, content: bytes) -> str:
        """Store a file, unless it is stored already. Return its id."""
        file_id = file_id_of(content)
        await self._blobs().put(stored_file(file_id, len(content)), content)
        return file_id

    async def load(self, file_id: str) -> bytes | None:
        """Return the content of a file; None if it is gone."""
        return await self._blobs().get(stored_file(file_id))
