"""What one call of the model took."""

from pydantic import BaseModel, ConfigDict


class ModelCall(BaseModel):
    """One call: the model that answered, its tokens and its milliseconds."""

    model_config = ConfigDict(frozen=True)

    model: str
    prompt_tokens: int = 0
    cached_tokens: int = 0
    thought_tokens: int = 0
    output_tokens: int = 0
    ms: int = 0
    #: why its reply could not be used; empty when it could
    problem: str = ""
