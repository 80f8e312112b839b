"""The model gets the declaration of a tool, but not its code; a call gets the ports that the tool declares."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from shared.base.errors import PortMissing
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.chats import FirestoreChats
from shared.llm.ports.world import PortRegistry
from shared.tools.tool import Tool, ToolContext
from shared.values.prompt import ToolDeclaration
from tests.shared.tools.toolboxes import CONTEXT


async def _echo(arguments: Mapping[str, object], context: ToolContext) -> str:
    return f"{arguments} in {context.conversation}"


async def test_a_tool_answers_and_is_declared() -> None:
    tool = Tool(name="echo", description="Says it again.", parameters={"type": "object"}, run=_echo)
    assert tool.declaration == ToolDeclaration(
        name="echo", description="Says it again.", parameters={"type": "object"}, stays_in_chat=False
    )
    assert await tool.run({"a": 1}, CONTEXT) == "{'a': 1} in conv-1"


def test_a_context_has_the_ports_that_were_given() -> None:
    store = object()
    context = replace(CONTEXT, ports=PortRegistry({FirestoreChats: store}))
    assert context.ports[FirestoreChats] is store
    with pytest.raises(PortMissing, match="no port FirestoreOwners"):
        context.ports[FirestoreOwners]
