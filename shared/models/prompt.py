"""A prompt: what the model is shown for one plan."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from shared.models.usage import ModelCall


class PromptFormat(StrEnum):
    """How messages are written for the model: with a `[meta]` header each, or one compact line each."""

    META = "meta"
    COMPACT = "compact"


class Role(StrEnum):
    """Gemini knows two."""

    USER = "user"
    MODEL = "model"


class PromptTurn(BaseModel):
    """One turn: its parts are texts."""

    model_config = ConfigDict(frozen=True)

    role: Role
    parts: tuple[str, ...]


class Prompt(BaseModel):
    """Stable first, changing last: the system instruction, then turns that start and end with the user's."""

    model_config = ConfigDict(frozen=True)

    system: str
    turns: tuple[PromptTurn, ...]

    def with_turns(self, *more: PromptTurn) -> "Prompt":
        """The prompt, continued."""
        return self.model_copy(update={"turns": (*self.turns, *more)})


class ModelReply(BaseModel):
    """What the model answered."""

    model_config = ConfigDict(frozen=True)

    text: str
    #: whether it ended by itself; a reply cut by a limit is not used
    is_complete: bool
    call: ModelCall
