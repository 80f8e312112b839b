"""Files prepared for models and storage: decoded, limited in size, without metadata."""

from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import Field

from shared.values.evolve import FrozenModel
from shared.values.prompt import Attachment

#: bytes of all parts together: base64 adds a third, and a request to a model has at most 20 MB
#: (ai.google.dev/gemini-api/docs/files)
MOST_PREPARED_BYTES: Final = 14_000_000
#: bytes of a file: Telegram's limit for bots (20 MiB), also for sounds that become voice notes
MOST_FILE_BYTES: Final = 20 * 1_048_576
#: what the planning model is told about a larger file
TOO_LARGE: Final = (
    f"The file is larger than {MOST_FILE_BYTES // 1_048_576} MB: Telegram gives bots no such file, so nobody here can "
    "open it."
)
#: most seconds of a sound, and of a film that is sent whole, for a model
LONGEST_SOUND_S: Final = 600
LONGEST_FILM_S: Final = 61
#: the `kind` under which the reader is asked to make a voice note; it is not a `MediaKind`
SPEECH: Final = "speech"
#: most characters of a document for a model
LONGEST_DOCUMENT: Final = 40_000
#: the type of the part with a document's text
TEXT: Final = "text/plain"
PDF: Final = "application/pdf"
#: most pages of a PDF for a model
MOST_PAGES: Final = 20
#: above any real width or number of pages
_MOST: Final = 2**31

_Count = Annotated[int, Field(ge=0, le=_MOST)]


class FileFacts(FrozenModel):
    """Facts found by decoding a file; 0 or empty where they do not apply."""

    #: the real MIME type, whatever was claimed
    type: str = ""
    width: _Count = 0
    height: _Count = 0
    #: the length of the part that was read; the file may be longer
    duration_s: float = Field(default=0.0, ge=0, le=_MOST)
    pages: _Count = 0
    #: number of still pictures taken from a film or an animation
    frames: _Count = 0
    #: whether parts of the file were left out
    is_cut: bool = False


NO_FACTS: Final = FileFacts()


@dataclass(frozen=True)
class PreparedPart:
    """One part of a prepared file: an image, a sound, a video or a PDF."""

    mime_type: str
    content: bytes = field(repr=False)
    #: the measured length of a sound or a film; 0 for anything else, or if not known
    duration_s: float = 0.0


def part_shown(part: PreparedPart, pages: int, *, is_simple: bool) -> Attachment:
    """Return a part as a prompt's attachment.

    `pages` is the number of pages of the whole file; it is used if the part is a PDF.
    """
    return Attachment(
        mime_type=part.mime_type,
        content=part.content,
        is_simple=is_simple,
        duration_s=part.duration_s,
        pages=min(pages, MOST_PAGES) if part.mime_type == PDF else 0,
    )


@dataclass(frozen=True, kw_only=True)
class PreparedFile:
    """The parts and the text of a prepared file. If it has neither, `problem` says why."""

    parts: tuple[PreparedPart, ...] = ()
    text: str = ""
    facts: FileFacts = NO_FACTS
    #: a sentence for the model ("This is a zip archive: its content is not read."); empty if all went well
    problem: str = ""
    #: whether a later try may succeed, since the file is not the cause of the problem
    may_retry: bool = False
    #: whether the cause of the problem is the file's kind or size, not broken content
    is_unsupported: bool = False

    @property
    def model_parts(self) -> tuple[PreparedPart, ...]:
        """Return the parts that a model is given: the file's parts, then its text, if any, as a last part."""
        return (*self.parts, PreparedPart(TEXT, self.text.encode())) if self.text else self.parts


@dataclass(frozen=True, kw_only=True)
class EncodedVoice:
    """A voice note (OGG with Opus, mono). If there is none, `problem` says why."""

    content: bytes = field(default=b"", repr=False)
    duration_s: float = 0.0
    problem: str = ""
    may_retry: bool = False


def encoded_voice(made: PreparedFile) -> EncodedVoice:
    """Return the voice note in a prepared file, or the file's problem."""
    content = made.parts[0].content if made.parts else b""
    return EncodedVoice(
        content=content,
        duration_s=made.facts.duration_s,
        problem=made.problem,
        may_retry=made.may_retry,
    )
