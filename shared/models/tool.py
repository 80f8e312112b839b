"""A tool's call: what the model is told of a tool, what it asks of it while it plans, and what the tool answers."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class ToolDeclaration(BaseModel):
    """What the model is told of a tool; `parameters` is the JSON Schema of an object."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str
    parameters: dict[str, Any]


class ToolCall(BaseModel):
    """What the model asks of a tool: nothing of it is checked yet."""

    model_config = ConfigDict(frozen=True)

    #: the model's own name for this call, which its answer must carry; empty: it gave none
    id: str = ""
    name: str
    arguments: dict[str, Any]


class ToolAnswer(BaseModel):
    """What goes back to the model: a text for it alone, or what was wrong with its call."""

    model_config = ConfigDict(frozen=True)

    call: ToolCall
    text: str
    is_error: bool = False

    @property
    def characters(self) -> int:
        """How long it is, with a line's end."""
        return len(self.call.id) + len(self.call.name) + len(self.text) + 1
