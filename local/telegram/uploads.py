"""Files as they arrive: what they are, told by their content where that counts."""

from dataclasses import dataclass, replace

from local.telegram.files import StoredFile
from local.telegram.images import picture_size, picture_type
from local.telegram.messages import MediaKind


@dataclass(frozen=True, kw_only=True)
class Upload:
    """A file that came with a request."""

    name: str
    mime_type: str
    content: bytes


def describe(kind: MediaKind, upload: Upload) -> StoredFile:
    """What is known of an upload; a photo or sticker that is no picture has no width."""
    width, height = picture_size(upload.content) or (0, 0)
    file = StoredFile(
        unique_id="",
        kind=kind,
        size=len(upload.content),
        name=upload.name,
        mime_type=upload.mime_type,
        width=width,
        height=height,
    )
    if kind not in (MediaKind.PHOTO, MediaKind.STICKER):
        return file
    type_ = picture_type(upload.content) or upload.mime_type
    return replace(file, mime_type=type_, name=f"{kind.value}.{type_.rpartition('/')[2].replace('jpeg', 'jpg')}")
