"""Uploaded files. The types of photos and stickers are recognized by the files' content where possible."""

from dataclasses import dataclass, field, replace

from local.telegram.clips import Clip, clip_of
from local.telegram.files import TGS, StoredFile
from local.telegram.images import picture_size, picture_type
from local.telegram.messages import MessageField

# The types of animated stickers, by their first bytes: gzip, and EBML (WebM). Their size is the square for stickers.
_MOVING = {b"\x1f\x8b": (TGS, "sticker.tgs"), b"\x1a\x45\xdf\xa3": ("video/webm", "sticker.webm")}
_STICKER_SIDE = 512
_WITH_PICTURE = (MessageField.VIDEO, MessageField.ANIMATION, MessageField.VIDEO_NOTE)
_WITH_DURATION = (*_WITH_PICTURE, MessageField.VOICE, MessageField.AUDIO)


@dataclass(frozen=True, kw_only=True)
class UploadedFile:
    """A file that came with a request: its name, type and bytes, and the duration and size that the sender declared."""

    name: str
    mime_type: str
    content: bytes
    #: the length and size that the sender gave, which are used if the file itself does not contain them
    declared: Clip = field(default_factory=Clip)


def describe(kind: MessageField, upload: UploadedFile) -> StoredFile:
    """Return the data about an upload. A photo or sticker that is not a picture gets a width of 0."""
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
    if kind is MessageField.STICKER and (moving := _moving(upload.content)):
        type_, name = moving
        return replace(file, mime_type=type_, name=name, width=_STICKER_SIDE, height=_STICKER_SIDE)
    if kind not in (MessageField.PHOTO, MessageField.STICKER):
        return _measure(file, upload)
    type_ = picture_type(upload.content) or upload.mime_type
    return replace(file, mime_type=type_, name=f"{kind.value}.{type_.rpartition('/')[2].replace('jpeg', 'jpg')}")


def _moving(content: bytes) -> tuple[str, str] | None:
    return next((known for head, known in _MOVING.items() if content.startswith(head)), None)


def _measure(file: StoredFile, upload: UploadedFile) -> StoredFile:
    """Return `file` with the duration, width and height that files of its kind have. These are taken from the upload's
    content, or from the sender's data if the content lacks them.
    """
    clip, declared = clip_of(upload.content), upload.declared
    if file.kind in _WITH_DURATION:
        file = replace(file, duration=clip.duration or declared.duration)
    if file.kind in _WITH_PICTURE:
        width, height = clip.width or file.width or declared.width, clip.height or file.height or declared.height
        file = replace(file, width=width, height=height)
    return file
