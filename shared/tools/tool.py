"""A tool: what it is called, what it takes, and how it answers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from shared.models.prompt import ToolDeclaration


@dataclass(frozen=True, kw_only=True)
class Tool:
    """Something that answers the model while it plans, and has no effect on anybody.

    `run` takes the arguments as the model wrote them, which may be anything that JSON can be; it answers in a text for
    the model, within a bounded time and size. Raises ToolFailed with a sentence for the model, and nothing else.
    """

    name: str
    #: for the model: what it answers, and how to ask
    description: str
    #: the JSON Schema of the arguments, an object, in Gemini's subset
    parameters: Mapping[str, object]
    run: Callable[[Mapping[str, object]], Awaitable[str]]

    @property
    def declaration(self) -> ToolDeclaration:
        """What the model is told of it."""
        return ToolDeclaration(name=self.name, description=self.description, parameters=dict(self.parameters))
