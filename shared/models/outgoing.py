"""A file that an agent sends."""

from dataclasses import dataclass
from enum import StrEnum


class OutgoingKind(StrEnum):
    """What a file is sent as."""

    STICKER = "sticker"
    PHOTO = "photo"
    VOICE = "voice"


@dataclass(frozen=True, kw_only=True)
class OutgoingFile:
    """A file to be sent: by the id under which Telegram has it for this bot, or by its bytes."""

    kind: OutgoingKind
    #: empty: `content` is sent
    file_id: str = ""
    content: bytes = b""
    #: of `content`, as Telegram is told it; a photo's and a sticker's is shown to nobody
    file_name: str = ""
    #: of a voice message
    duration_s: int = 0
