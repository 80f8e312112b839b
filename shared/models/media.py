"""Media: the files that come with a message, as Telegram tells of them."""

from enum import StrEnum
from typing import Any, Final

from pydantic import BaseModel, ConfigDict


class MediaKind(StrEnum):
    """What a file is, under the names of the Bot API's fields (core.telegram.org/bots/api#message)."""

    PHOTO = "photo"
    STICKER = "sticker"
    ANIMATION = "animation"
    VOICE = "voice"
    AUDIO = "audio"
    VIDEO = "video"
    VIDEO_NOTE = "video_note"
    DOCUMENT = "document"


class MediaRef(BaseModel):
    """One file of a message. What its sender's program says of it (type, size, length) may be wrong."""

    model_config = ConfigDict(frozen=True)

    kind: MediaKind
    #: by which this bot asks for the file, and no other
    file_id: str
    #: the same for the same file, whoever sent it and whichever bot sees it; empty: not known
    unique_id: str = ""
    mime_type: str = ""
    #: in bytes; 0: not known, as below
    size: int = 0
    #: in pixels
    width: int = 0
    height: int = 0
    duration_s: int = 0
    #: of a sticker
    emoji: str = ""
    set_name: str = ""
    #: whether it is covered until somebody wants to see it
    is_spoiler: bool = False


#: how Telegram's ids of photos begin: the first byte says what a file is (core.telegram.org/api/files, FileId type 2)
_PHOTO_ID: Final = "AgAC"


def with_refs(stored: Any) -> Any:
    """A stored message with its files as references: of one stored before there were any only the ids are known."""
    if not isinstance(stored, dict) or "file_ids" not in stored:
        return stored
    ids = (one for one in stored["file_ids"] if isinstance(one, str))
    rest = {name: value for name, value in stored.items() if name != "file_ids"}
    return {"media_refs": tuple(map(_of_id, ids)), **rest}


def _of_id(file_id: str) -> MediaRef:
    kind = MediaKind.PHOTO if file_id.startswith(_PHOTO_ID) else MediaKind.DOCUMENT
    return MediaRef(kind=kind, file_id=file_id)
