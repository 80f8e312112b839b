"""Files that a model makes for a task before it is delivered: its words spoken, or a picture of what they describe."""

from dataclasses import dataclass, field

from shared.models.capabilities import Made
from shared.models.usage import ModelCall


@dataclass(frozen=True, kw_only=True)
class WantedFile:
    """What a task needs made: speech, or pictures; and the words that are spoken, or that say what is drawn."""

    makes: Made
    words: str


@dataclass(frozen=True, kw_only=True)
class MadeFile:
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
