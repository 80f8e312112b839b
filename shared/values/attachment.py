"""An attachment: the bytes of a picture, a sound, a film or a PDF that a prompt shows a model beside its texts."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from shared.values.media import MediaRef


class Attachment(BaseModel):
    """One file as a model takes it. Its bytes are in no representation, so that no log holds them."""

    model_config = ConfigDict(frozen=True)

    mime_type: str
    content: bytes = Field(repr=False)
    #: whether little of it has to be seen, as of a sticker: where that holds of all of a prompt, it costs fewer tokens
    is_simple: bool = False
    #: seconds of a sound or a film, and pages of a PDF; 0: it has none, or they are not known
    duration_s: float = 0.0
    pages: int = 0


@dataclass(frozen=True, kw_only=True)
class Attached:
    """A file of a conversation that a prompt shows: what it is called there, and what was made of it."""

    #: in lull's own words: "the photo of message 12"
    label: str
    parts: tuple[Attachment, ...]
    #: what the file is known by (`name_of`)
    file: str = ""
    #: whether it may hold words that the people of the chat did not write
    is_outside: bool = True
    #: the file, if it counts as outside only until somebody has looked whether text stands in it
    unseen: "MediaRef | None" = None
