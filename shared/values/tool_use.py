"""What a plan asked of a tool and got, as it is kept for whoever looks into the chat."""

import json
from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from shared.base.text import abridged, well_formed
from shared.values.prompt import ToolAnswer, ToolCall

#: bytes that are kept of what a call says, and of what came back: a plan's document has a limit
KEPT_ARGUMENTS, KEPT_ANSWER = 500, 1_000
#: calls of one plan of which later prompts tell, and characters of each: of what it says, and of what came back
MOST_RETOLD: Final = 5
RETOLD_ARGUMENTS, RETOLD_ANSWER = 120, 200


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
    #: whether later prompts may tell what was found; else it is for whoever asked, and looked up anew for others
    is_retold: bool = True
    seconds: float = 0.0
    #: which of the plan's calls of the model asked for it, from 0
    asked_by: int = 0


def tool_use_of(answer: ToolAnswer, asked_by: int = 0) -> ToolUse:
    """What is kept of a call and its answer."""
    return ToolUse(
        name=_kept(answer.call.name, KEPT_ARGUMENTS),
        arguments=_kept(json.dumps(answer.call.arguments, ensure_ascii=False), KEPT_ARGUMENTS),
        answer=_kept(answer.text, KEPT_ANSWER),
        is_error=answer.is_error,
        outside=answer.outside,
        is_retold=answer.is_retold,
        seconds=round(answer.seconds, 3),
        asked_by=asked_by,
    )


def is_new(call: ToolCall, beside: Sequence[ToolCall], given: Sequence[ToolAnswer]) -> bool:
    """Whether a call is none of those beside it, and was not answered before; what failed may be tried once more."""
    if any((one.name, one.arguments) == (call.name, call.arguments) for one in beside):
        return False
    same = [one for one in given if (one.call.name, one.call.arguments) == (call.name, call.arguments)]
    return len(same) < 2 and all(one.is_error for one in same)


def summarize_tool_uses(uses: Sequence[ToolUse]) -> tuple[str, ...]:
    """What later prompts tell of some calls, a line for each: which tool, with what, and what came back, in short."""
    told = {_retold(use): use.is_error for use in uses}
    if (more := len(told) - MOST_RETOLD) <= 0:
        return tuple(told)
    # what failed tells least of how the answer came about
    kept = sorted(told, key=lambda line: told[line])[:MOST_RETOLD]
    return (*(line for line in told if line in kept), f"and {more} more")


def _retold(use: ToolUse) -> str:
    asked = abridged(" ".join(use.arguments.split()), RETOLD_ARGUMENTS)
    found = abridged(" ".join(use.answer.split()), RETOLD_ANSWER)
    if not use.is_retold:
        found = "" if use.is_error else "it is not told again"
    elif use.outside:
        found = f'from outside: "{found}"'
    failed = f"it did not work{': ' if found else ''}" if use.is_error else ""
    return f"{use.name} {asked} → {failed}{found}"


def _kept(text: str, most: int) -> str:
    """A text of at most so many bytes; an ellipsis says that it was longer."""
    whole = well_formed(text).encode()
    return whole.decode() if len(whole) <= most else f"{whole[: most - 3].decode(errors='ignore').rstrip()}…"
