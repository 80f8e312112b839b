"""Files that people sent, as a model and the storage take them: decoded, bounded, without metadata."""

from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from shared.values.prompt import Attachment

#: of all parts of an answer together: in base64 they are a third more, and a request to a model has 20 MB at most
#: (ai.google.dev/gemini-api/docs/files)
MOST_PREPARED_BYTES: Final = 14_000_000
#: of a file: Telegram's limit for bots (20 MiB), which is also that of a sound of which a voice note is made
MOST_FILE_BYTES: Final = 20 * 1_048_576
#: what the model that plans is told of a larger one
TOO_LARGE: Final = (
    f"The file is larger than {MOST_FILE_BYTES // 1_048_576} MB: Telegram gives bots no such file, so nobody here can "
    "open it."
)
#: seconds of a sound that a model is given at most, and of a film that it is given whole
LONGEST_SOUND_S: Final = 600
LONGEST_FILM_S: Final = 61
#: what is asked of the reader beside kinds of media: a voice note, made of a sound
SPEECH: Final = "speech"
#: characters of a document that a model is shown at most
LONGEST_DOCUMENT: Final = 40_000
#: the type of a part that is a document's text, and goes to a model as such
TEXT: Final = "text/plain"
PDF: Final = "application/pdf"
#: pages of a PDF that a model is shown at most
MOST_PAGES: Final = 20
#: more than any picture is wide, and any PDF has pages
_MOST: Final = 2**31

_Count = Annotated[int, Field(ge=0, le=_MOST)]


class FileFacts(BaseModel):
    """What was found in a file by reading it; 0 and empty where that does not apply."""

    model_config = ConfigDict(frozen=True)

    #: the real type, as a MIME type, whatever was claimed
    type: str = ""
    width: _Count = 0
    height: _Count = 0
    #: as far as the file was read; of a longer one at least this
    duration_s: float = Field(default=0.0, ge=0, le=_MOST)
    pages: _Count = 0
    #: still pictures among the parts that were taken out of something that moves
    frames: _Count = 0
    #: whether the file has more than what it was made into
    is_cut: bool = False


NO_FACTS: Final = FileFacts()


@dataclass(frozen=True)
class PreparedPart:
    """One of the things that a file was made into: an image, a sound, a film or a PDF."""

    mime_type: str
    content: bytes = field(repr=False)
    #: of a sound or a film, by what is in it and not by what it says; 0: of anything else, or not known
    duration_s: float = 0.0


def part_shown(part: PreparedPart, pages: int, *, is_simple: bool) -> Attachment:
    """Return a part as a model is shown it. `pages`: of the file, which counts where the part is a PDF."""
    return Attachment(
        mime_type=part.mime_type,
        content=part.content,
        is_simple=is_simple,
        duration_s=part.duration_s,
        pages=min(pages, MOST_PAGES) if part.mime_type == PDF else 0,
    )


@dataclass(frozen=True, kw_only=True)
class PreparedFile:
    """What came of preparing one file: parts or a text, or in `problem` why there is neither."""

    parts: tuple[PreparedPart, ...] = ()
    text: str = ""
    facts: FileFacts = NO_FACTS
    #: a sentence for the model ("This is a zip archive: its content is not read."); empty: it was prepared
    problem: str = ""
    #: whether the problem is not the file's, so that it may be prepared another time
    may_retry: bool = False
    #: whether the problem is its kind or its size, and not that it is broken
    is_unsupported: bool = False

    @property
    def model_parts(self) -> tuple[PreparedPart, ...]:
        """What a model is shown: the parts, and behind them the text."""
        return (*self.parts, PreparedPart(TEXT, self.text.encode())) if self.text else self.parts


@dataclass(frozen=True, kw_only=True)
class EncodedVoice:
    """A sound as a voice note (OGG with Opus, mono), or in `problem` why there is none."""

    content: bytes = field(default=b"", repr=False)
    duration_s: float = 0.0
    problem: str = ""
    may_retry: bool = False


def encoded_voice(made: PreparedFile) -> EncodedVoice:
    """The voice note that a sound was made into."""
    content = made.parts[0].content if made.parts else b""
    return EncodedVoice(
        content=content,
        duration_s=made.facts.duration_s,
        problem=made.problem,
        may_retry=made.may_retry,
    )
