"""Files in conversations, for tests of the files that a model is shown."""

from typing import Any

from shared.values.media import MediaKind, MediaRef
from shared.values.message import Author, Message
from shared.values.prompt import AttachedFile, Attachment
from tests.shared.examples import ANN, said

JPEG = Attachment(mime_type="image/jpeg", content=b"\xff\xd8\xff the photo")


def file(name: str = "a", kind: MediaKind = MediaKind.PHOTO, **fields: Any) -> MediaRef:
    """Return a reference to a file of that name."""
    return MediaRef(**{"kind": kind, "file_id": f"id-{name}", "unique_id": f"u-{name}"} | fields)


def showing(message_id: int, *refs: MediaRef, author: Author = ANN, text: str = "", **fields: Any) -> Message:
    """Return a message with files, as it stands in a conversation."""
    media = "a photo" if len(refs) < 2 else f"an album of {len(refs)}"
    return said(text, author, message_id, media=media, media_refs=refs, **fields)


def attached(label: str = "the photo of message 1", *parts: Attachment, is_outside: bool = True) -> AttachedFile:
    """Return an attachment for a file, by default a photo."""
    return AttachedFile(label=label, parts=parts or (JPEG,), is_outside=is_outside)
