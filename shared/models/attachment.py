"""What a model is shown besides texts: the bytes of a picture, a sound, a film or a PDF."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Attachment:
    """A file that goes to a model with a turn, as it was prepared for it."""

    mime_type: str
    content: bytes = field(repr=False)
