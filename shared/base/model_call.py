"""The usage of one model call."""

from pydantic import BaseModel, ConfigDict


class ModelCall(BaseModel):
    """One call of a model: the model's name, the numbers of tokens, and the duration in milliseconds."""

    model_config = ConfigDict(frozen=True)

    model: str
    prompt_tokens: int = 0
    #: prompt tokens of pictures, sounds, films and PDFs; 0 also if the model does not report them
    media_tokens: int = 0
    cached_tokens: int = 0
    thought_tokens: int = 0
    output_tokens: int = 0
    #: the prompt tokens that are sound, and the output tokens that are pictures
    sound_tokens: int = 0
    picture_tokens: int = 0
    ms: int = 0
    #: the number of web searches
    searches: int = 0
    #: whether the token counts are missing or implausible: then the whole reservation counts as used
    is_uncounted: bool = False
    #: the reason why the reply could not be used; "" if it could be used
    problem: str = ""
