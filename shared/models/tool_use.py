"""What a plan asked of a tool and got, as it is kept for whoever looks into the chat."""

import json

from pydantic import BaseModel, ConfigDict

from shared.models.prompt import ToolAnswer
from shared.models.text import well_formed

#: bytes that are kept of what a call says, and of what came back: a plan's document has a limit
KEPT_ARGUMENTS, KEPT_ANSWER = 500, 1_000


class ToolUse(BaseModel):
    """One call of a tool while a plan was made."""

    model_config = ConfigDict(frozen=True)

    name: str
    #: as JSON, shortened
    arguments: str
    #: shortened
    answer: str
    is_error: bool = False
    #: what of the answer is from outside, in lull's own words; empty: nothing
    outside: str = ""
    seconds: float = 0.0
    #: which of the plan's calls of the model asked for it, from 0
    asked_by: int = 0


def use_of(answer: ToolAnswer, asked_by: int = 0) -> ToolUse:
    """What is kept of a call and its answer."""
    return ToolUse(
        name=_kept(answer.call.name, KEPT_ARGUMENTS),
        arguments=_kept(json.dumps(answer.call.arguments, ensure_ascii=False), KEPT_ARGUMENTS),
        answer=_kept(answer.text, KEPT_ANSWER),
        is_error=answer.is_error,
        outside=answer.outside,
        seconds=round(answer.seconds, 3),
        asked_by=asked_by,
    )


def _kept(text: str, most: int) -> str:
    """A text of at most so many bytes; an ellipsis says that it was longer."""
    whole = well_formed(text).encode()
    return whole.decode() if len(whole) <= most else f"{whole[: most - 3].decode(errors='ignore').rstrip()}…"
