"""Files that an agent sends, and files that a model makes for it."""

from dataclasses import dataclass, field
from enum import StrEnum

from shared.base.model_call import ModelCall
from shared.values.capabilities import OutputKind


class OutgoingKind(StrEnum):
    """The way in which a file is sent through the Bot API."""

    STICKER = "sticker"
    PHOTO = "photo"
    VOICE = "voice"
    DOCUMENT = "document"


@dataclass(frozen=True, kw_only=True)
class OutgoingFile:
    """A file to send, given by Telegram's file id for this bot, by its bytes, or by its name in the export bucket."""

    kind: OutgoingKind
    #: if empty, `content` is sent
    file_id: str = ""
    content: bytes = b""
    #: a document's object name in the export bucket, from which it is sent piece by piece
    stored: str = ""
    #: the file name that Telegram is told; people see it only for documents
    file_name: str = ""
    #: the length of a voice message
    duration_s: int = 0


@dataclass(frozen=True, kw_only=True)
class FileRequest:
    """A file that a task needs: the kind of output, and the words to speak or to draw."""

    makes: OutputKind
    words: str


@dataclass(frozen=True, kw_only=True)
class GeneratedFile:
    """A generated file in a format that Telegram takes. If there is none, `problem` tells the planning model why."""

    content: bytes = field(default=b"", repr=False)
    #: the content's MIME type
    mime_type: str = ""
    #: the length of speech
    duration_s: int = 0
    #: records of the model calls that made it
    calls: tuple[ModelCall, ...] = ()
    #: whether the persona wants the spoken words as a caption
    is_captioned: bool = False
    problem: str = ""
