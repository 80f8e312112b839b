"""The files of web conversations in the media bucket: the owner's uploads, and what the agent sent.

A file's id is a hash of its content, and is used in place of a file id of Telegram. So the code that describes files,
shows them to models and deletes them handles these files, too.
"""

import hashlib
import re
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Final

from shared.reader.decode.kinds import DecoderKind, DetectedType, real_type
from shared.values.media import MediaKind
from shared.values.stored_media import StoredPart

if TYPE_CHECKING:
    from shared.media.blobs import StorageBlobs

_ID: Final = re.compile(r"web-[0-9a-f]{40}", re.ASCII)
#: types that are sent as photos
_PHOTOS: Final = frozenset({"image/jpeg", "image/png", "image/webp"})
#: types that are sent as videos
_VIDEOS: Final = frozenset({"video/mp4", "video/webm"})
_GIF: Final = "image/gif"


def file_id_of(content: bytes) -> str:
    """Return the id of a file with this content."""
    return f"web-{hashlib.sha256(content).hexdigest()[:40]}"


def is_web_file(file_id: str) -> bool:
    """Return whether an id belongs to a file of a web conversation."""
    return _ID.fullmatch(file_id) is not None


def stored_path(file_id: str) -> str:
    """Return the name of the object in the bucket that contains an uploaded file."""
    return f"{file_id}/file"


def kind_of(real: DetectedType) -> MediaKind:
    """Return the kind of message in which a file of this type is sent, chosen as in Telegram's apps."""
    if real.mime_type in _PHOTOS:
        return MediaKind.PHOTO
    if real.mime_type == _GIF:
        return MediaKind.ANIMATION
    if real.mime_type in _VIDEOS:
        return MediaKind.VIDEO
    is_sound = real.family is DecoderKind.CLIP and real.mime_type.startswith("audio/")
    return MediaKind.AUDIO if is_sound else MediaKind.DOCUMENT


class WebFiles:
    """Stores and reads the files of web conversations. Every call may raise BlobsUnavailable."""

    def __init__(self, blobs: Callable[[], "StorageBlobs"]) -> None:
        """`blobs` makes the bucket's client; it is called at the first use."""
        self._blobs = blobs

    async def keep(self, content: bytes) -> str:
        """Store a file unless it is stored already, and return its id. The file's type is detected from its content."""
        file_id, mime_type = file_id_of(content), real_type(content).mime_type
        part = StoredPart(path=stored_path(file_id), mime_type=mime_type, size=len(content))
        await self._blobs().put(part, content)
        return file_id

    async def find(self, file_id: str) -> StoredPart | None:
        """Return the type and the size of a file; None if it is gone."""
        return await self._blobs().find(stored_path(file_id))

    async def load(self, file_id: str) -> bytes | None:
        """Return the content of a file; None if it is gone."""
        return await self._blobs().get(StoredPart(path=stored_path(file_id), mime_type="", size=0))

    async def pieces(self, file: StoredPart, begin: int, end: int) -> AsyncIterator[bytes]:
        """Yield the bytes of a file from `begin` to before `end`."""
        async for piece in self._blobs().pieces(file, begin, end):
            yield piece
