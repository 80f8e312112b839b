"""A file that an agent sends; and one that a model makes for that: words spoken, or a picture of what they describe."""

from dataclasses import dataclass, field
from enum import StrEnum

from shared.base.model_call import ModelCall
from shared.values.capabilities import OutputKind


class OutgoingKind(StrEnum):
    """What a file is sent as."""

    STICKER = "sticker"
    PHOTO = "photo"
    VOICE = "voice"
    DOCUMENT = "document"


@dataclass(frozen=True, kw_only=True)
class OutgoingFile:
    """A file to be sent: by the id under which Telegram has it for this bot, by its bytes, or from where it lies."""

    kind: OutgoingKind
    #: empty: `content` is sent
    file_id: str = ""
    content: bytes = b""
    #: of a document: the name under which it lies in the bucket of exports, from which it is sent piece by piece
    stored: str = ""
    #: of a document and of `content`, as Telegram is told it; a photo's and a sticker's is shown to nobody
    file_name: str = ""
    #: of a voice message
    duration_s: int = 0


@dataclass(frozen=True, kw_only=True)
class FileRequest:
    """What a task needs made: speech, or pictures; and the words that are spoken, or that say what is drawn."""

    makes: OutputKind
    words: str


@dataclass(frozen=True, kw_only=True)
class GeneratedFile:
    """What was made, as Telegram takes it; or in `problem` why nothing was, in a few words for the planner."""

    content: bytes = field(default=b"", repr=False)
    #: of the content, as a MIME type
    mime_type: str = ""
    #: of speech
    duration_s: int = 0
    #: what it took
    calls: tuple[ModelCall, ...] = ()
    #: whether the persona wants what was spoken to stand below it
    is_captioned: bool = False
    problem: str = ""
