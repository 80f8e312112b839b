"""An attachment: the bytes of a picture, a sound, a film or a PDF that a prompt shows a model beside its texts."""

from pydantic import BaseModel, ConfigDict, Field


class Attachment(BaseModel):
    """One file as a model takes it. Its bytes are in no representation, so that no log holds them."""

    model_config = ConfigDict(frozen=True)

    mime_type: str
    content: bytes = Field(repr=False)
    #: whether little of it has to be seen, as of a sticker: where that holds of all of a prompt, it costs fewer tokens
    is_simple: bool = False
