"""The tools that there are, and the answers to what a model asks of some of them."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from shared.errors import ToolFailed
from shared.models.prompt import ToolAnswer, ToolCall
from shared.tools.calculate import CALCULATE
from shared.tools.tool import Tool

#: every tool, by the name under which a role prompt unlocks it
TOOLS: Final[Mapping[str, Tool]] = MappingProxyType({tool.name: tool for tool in (CALCULATE,)})

#: calls of one reply that are answered; more are a model that has lost its way
MOST_CALLS: Final = 16
#: a tool that takes longer is not waited for: somebody waits for the answer
TOOL_TIMEOUT_S: Final = 10.0

_TOO_MANY: Final = f"Not done: at most {MOST_CALLS} calls are answered at once. Ask for the others later."


def tool_names() -> tuple[str, ...]:
    """The names of all tools, by which role prompts unlock them."""
    return tuple(TOOLS)


def tools_named(names: Iterable[str]) -> tuple[Tool, ...]:
    """The tools of these names, in the order in which lull has them: the same tools are always declared alike."""
    wanted = set(names)
    return tuple(tool for name, tool in TOOLS.items() if name in wanted)


async def answers_to(
    calls: Sequence[ToolCall], tools: Iterable[Tool], timeout_s: float = TOOL_TIMEOUT_S
) -> tuple[ToolAnswer, ...]:
    """One answer for each call, in their order; the tools run side by side. What went wrong is an answer too."""
    known = {tool.name: tool for tool in tools}
    running = [_answer_to(call, known, timeout_s) for call in calls[:MOST_CALLS]]
    left_out = (ToolAnswer(call=call, text=_TOO_MANY, is_error=True) for call in calls[MOST_CALLS:])
    return (*await asyncio.gather(*running), *left_out)


async def _answer_to(call: ToolCall, known: Mapping[str, Tool], timeout_s: float) -> ToolAnswer:
    tool = known.get(call.name)
    if tool is None:
        why = f"There is no such function; there are: {', '.join(known)}."
        return ToolAnswer(call=call, text=why, is_error=True)
    try:
        async with asyncio.timeout(timeout_s):
            return ToolAnswer(call=call, text=await tool.run(call.arguments))
    except ToolFailed as failure:
        return ToolAnswer(call=call, text=str(failure), is_error=True)
    except TimeoutError:
        why = f"There was no answer within {timeout_s:g} seconds. Go on without it."
        return ToolAnswer(call=call, text=why, is_error=True)
