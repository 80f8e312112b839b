"""Tool uses: the calls of tools by a plan and the answers, as they are stored for later prompts and for debugging."""

import json
from collections.abc import Sequence
from typing import Final

from shared.base.text import abridge, well_formed
from shared.values.evolve import FrozenModel
from shared.values.prompt import ToolAnswer, ToolCall

#: bytes stored of a call's arguments and of its answer, since a plan's document has a size limit
KEPT_ARGUMENTS, KEPT_ANSWER = 500, 1_000
#: the most calls of one plan that later prompts mention; and below, the characters of the arguments and of the answer
#: of each call
MOST_RETOLD: Final = 5
RETOLD_ARGUMENTS, RETOLD_ANSWER = 120, 200


class ToolUse(FrozenModel):
    """One call of a tool during planning, with its answer, in stored form."""

    name: str
    #: as JSON, shortened
    arguments: str
    #: shortened
    answer: str
    is_error: bool = False
    #: what in the answer comes from outside, in lull's words; empty if nothing does
    outside: str = ""
    #: whether later prompts may show the answer; otherwise only the person who asked may see it
    is_retold: bool = True
    seconds: float = 0.0
    #: the number of the model call that asked for it, from 0
    asked_by: int = 0


def tool_use_of(answer: ToolAnswer, asked_by: int = 0) -> ToolUse:
    """Return a call and its answer, shortened for storage. `asked_by`: the number of the model call, from 0."""
    return ToolUse(
        name=_cut_bytes(answer.call.name, KEPT_ARGUMENTS),
        arguments=_cut_bytes(json.dumps(answer.call.arguments, ensure_ascii=False), KEPT_ARGUMENTS),
        answer=_cut_bytes(answer.text, KEPT_ANSWER),
        is_error=answer.is_error,
        outside=answer.outside,
        is_retold=answer.is_retold,
        seconds=round(answer.seconds, 3),
        asked_by=asked_by,
    )


def is_new(call: ToolCall, beside: Sequence[ToolCall], given: Sequence[ToolAnswer]) -> bool:
    """Return whether a call repeats neither one of the calls in `beside` nor a call answered before (in `given`).

    A call whose only answer so far is an error counts as new.
    """
    if any((one.name, one.arguments) == (call.name, call.arguments) for one in beside):
        return False
    same = [one for one in given if (one.call.name, one.call.arguments) == (call.name, call.arguments)]
    return len(same) < 2 and all(one.is_error for one in same)


def summarize_tool_uses(uses: Sequence[ToolUse]) -> tuple[str, ...]:
    """Return a line for each of up to `MOST_RETOLD` calls: the tool, its arguments and its answer, shortened."""
    told = {_use_line(use): use.is_error for use in uses}
    if (more := len(told) - MOST_RETOLD) <= 0:
        return tuple(told)
    # failed calls explain the answer least, so they are dropped first
    kept = sorted(told, key=lambda line: told[line])[:MOST_RETOLD]
    return (*(line for line in told if line in kept), f"and {more} more")


def _use_line(use: ToolUse) -> str:
    asked = abridge(" ".join(use.arguments.split()), RETOLD_ARGUMENTS)
    found = abridge(" ".join(use.answer.split()), RETOLD_ANSWER)
    if not use.is_retold:
        found = "" if use.is_error else "it is not told again"
    elif use.outside:
        found = f'from outside: "{found}"'
    failed = f"it did not work{': ' if found else ''}" if use.is_error else ""
    return f"{use.name} {asked} → {failed}{found}"


def _cut_bytes(text: str, most: int) -> str:
    """Return the text, cut to at most `most` bytes of UTF-8. An ellipsis marks a cut."""
    whole = well_formed(text).encode()
    return whole.decode() if len(whole) <= most else f"{whole[: most - 3].decode(errors='ignore').rstrip()}…"
