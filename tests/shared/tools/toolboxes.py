"""A toolbox with one tool that needs no port, and the context of a request in a private chat."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC

from shared.llm.ports.world import NO_PORTS
from shared.tools.tool import ToolContext
from shared.tools.toolbox import TOOLS, Toolbox
from shared.values.chat_key import ChatKind
from shared.values.prompt import ToolAnswer, ToolCall
from tests.shared.examples import ANN, KEY, NOW

CONTEXT = ToolContext(asker=ANN, chat=KEY, kind=ChatKind.PRIVATE, conversation="conv-1", now=NOW, zone=UTC)
TOOLBOX = Toolbox(ports=NO_PORTS, tools={"calculate": TOOLS["calculate"]})
DECLARED = TOOLBOX.declarations_of(tuple(TOOLS))


async def answers_to(calls: Sequence[ToolCall], saw_outside: bool) -> Sequence[ToolAnswer]:
    """Call its tools and return their answers."""
    return await TOOLBOX.answers_to(calls, tuple(TOOLS), replace(CONTEXT, saw_outside=saw_outside))
