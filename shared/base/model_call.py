"""A call of a model: what it took."""

from pydantic import BaseModel, ConfigDict


class ModelCall(BaseModel):
    """One call: the model that answered, its tokens and its milliseconds."""

    model_config = ConfigDict(frozen=True)

    model: str
    prompt_tokens: int = 0
    #: of the prompt's those that are no text: pictures, sounds, films, PDFs; 0 also where the model does not tell
    media_tokens: int = 0
    cached_tokens: int = 0
    thought_tokens: int = 0
    output_tokens: int = 0
    #: of those of the prompt, what was sound; and of those of the output, what was pictures
    sound_tokens: int = 0
    picture_tokens: int = 0
    ms: int = 0
    #: how often it searched the web
    searches: int = 0
    #: whether its counts are missing or make no sense, so that it counts as all that was reserved for it
    is_uncounted: bool = False
    #: why its reply could not be used; empty when it could
    problem: str = ""
