"""The toolbox: it has all tools with their ports, and runs the tools that the model calls."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from shared.base.discovery import modules_of
from shared.base.errors import LullError, ToolFailed
from shared.base.logs import log_failure
from shared.llm.ports.world import PortRegistry
from shared.tools.tool import Tool, ToolContext, ToolOutput
from shared.values.evolve import evolve
from shared.values.prompt import ToolAnswer, ToolCall, ToolDeclaration

#: every tool by the name with which role prompts unlock it
TOOLS: Final[Mapping[str, Tool]] = MappingProxyType(
    {module.TOOL.name: module.TOOL for module in modules_of("tools") if hasattr(module, "TOOL")}
)

#: the maximum number of calls in one reply that are answered; more calls are a sign of a confused model
MOST_CALLS: Final = 16

_TOO_MANY: Final = f"Not done: at most {MOST_CALLS} calls are answered at once. Ask for the others later."
_BROKEN: Final = "It does not work just now. Go on without it."


def tool_names() -> tuple[str, ...]:
    """Return the names of all tools, by which role prompts unlock them."""
    return tuple(TOOLS)


@dataclass(frozen=True, kw_only=True)
class Toolbox:
    """The tools and their ports. The constructor raises PortMissing if a tool needs a port that is missing."""

    ports: PortRegistry
    tools: Mapping[str, Tool] = field(default_factory=lambda: TOOLS)

    def __post_init__(self) -> None:
        """Check that each tool has its ports when the toolbox is created, not only when a model calls the tool."""
        for tool in self.tools.values():
            self._ports_of(tool)

    def declarations_of(self, names: Collection[str]) -> tuple[ToolDeclaration, ...]:
        """Return the declarations of these tools, always in the same order."""
        return tuple(tool.declaration for name, tool in self.tools.items() if name in names)

    async def answers_to(
        self, calls: Sequence[ToolCall], names: Collection[str], context: ToolContext
    ) -> tuple[ToolAnswer, ...]:
        """Run the calls concurrently, and return an answer for each in order. Only the tools in `names` may be called.

        If the model saw untrusted text, only tools that stay in the chat may be called. Failed calls get an error as
        their answer, and so do calls beyond `MOST_CALLS`, which are not run.
        """
        known = self._usable(names, context.saw_outside)
        running = [self._answer_to(call, known, context) for call in calls[:MOST_CALLS]]
        left_out = (ToolAnswer(call=call, text=_TOO_MANY, is_error=True) for call in calls[MOST_CALLS:])
        return (*await asyncio.gather(*running), *left_out)

    def _usable(self, names: Collection[str], saw_outside: bool) -> Mapping[str, Tool]:
        named = {name: tool for name, tool in self.tools.items() if name in names}
        return {name: tool for name, tool in named.items() if tool.stays_in_chat or not saw_outside}

    def _ports_of(self, tool: Tool) -> PortRegistry:
        return self.ports.only(tool.needs, f"the tool {tool.name}")

    async def _answer_to(self, call: ToolCall, known: Mapping[str, Tool], context: ToolContext) -> ToolAnswer:
        tool = known.get(call.name)
        if tool is None:
            why = f"There is no such function; there are: {', '.join(known)}."
            return ToolAnswer(call=call, text=why, is_error=True)
        began = asyncio.get_running_loop().time()
        answer = await self._answer_of(tool, call, context)
        return evolve(answer, seconds=asyncio.get_running_loop().time() - began)

    async def _answer_of(self, tool: Tool, call: ToolCall, context: ToolContext) -> ToolAnswer:
        try:
            async with asyncio.timeout(tool.timeout_s):
                answer = await tool.run(call.arguments, replace(context, ports=self._ports_of(tool)))
        except ToolFailed as failure:
            return ToolAnswer(call=call, text=str(failure), is_error=True)
        except TimeoutError:
            why = f"There was no answer within {tool.timeout_s:g} seconds. Go on without it."
            return ToolAnswer(call=call, text=why, is_error=True)
        except LullError as failure:
            log_failure(failure)
            return ToolAnswer(call=call, text=_BROKEN, is_error=True)
        outside = f"what the tool {tool.name} found" if tool.reads_outside else ""
        is_known = isinstance(answer, ToolOutput) and answer.is_known
        if isinstance(answer, ToolOutput):
            outside, answer = answer.outside or outside, answer.parts
        parts = (answer,) if isinstance(answer, str) else answer
        several = parts if len(parts) > 1 else ()
        text = "\n\n".join(parts)
        given = ToolAnswer(call=call, text=text, parts=several, outside=outside, is_retold=tool.is_retold)
        return evolve(given, is_known=is_known)
