"""A tool is declared to the model as it is, without what runs it."""

from collections.abc import Mapping

from shared.models.prompt import ToolDeclaration
from shared.tools.tool import Tool


async def _echo(arguments: Mapping[str, object]) -> str:
    return str(arguments)


async def test_a_tool_answers_and_is_declared() -> None:
    tool = Tool(name="echo", description="Says it again.", parameters={"type": "object"}, run=_echo)
    assert tool.declaration == ToolDeclaration(name="echo", description="Says it again.", parameters={"type": "object"})
    assert await tool.run({"a": 1}) == "{'a': 1}"
