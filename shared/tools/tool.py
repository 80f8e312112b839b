"""A tool: what it is called, what it takes, which ports it needs, and how it answers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cached_property

from shared.models.chat_key import ChatKey, ChatKind
from shared.models.message import Author
from shared.models.prompt import ToolDeclaration
from shared.ports.outside import NO_PORTS, Ports


@dataclass(frozen=True, kw_only=True)
class ToolContext:
    """Who asks, where and when; and the ports of the tool that it is handed to."""

    #: the person whose messages are being answered; none: several people's are
    asker: Author | None
    chat: ChatKey
    kind: ChatKind
    #: its id; empty before the first answer in a chat, which begins it
    conversation: str
    now: datetime
    #: the agent's, in which people say times
    zone: tzinfo
    #: whether the prompt held text from outside
    saw_outside: bool = False
    ports: Ports = NO_PORTS


@dataclass(frozen=True, kw_only=True)
class Tool:
    """Something that answers the model while it plans, and has no effect on anybody.

    `run` takes the arguments as the model wrote them, which may be anything that JSON can be; it answers in a text for
    the model, within a bounded time and size. Raises ToolFailed with a sentence for the model; what a port raises may
    go on as it is.
    """

    name: str
    #: for the model: what it answers, and how to ask
    description: str
    #: the JSON Schema of the arguments, an object, in Gemini's subset
    parameters: Mapping[str, object]
    run: Callable[[Mapping[str, object], ToolContext], Awaitable[str]]
    #: the types of the ports that `run` uses; it is given no other
    needs: tuple[type, ...] = ()
    #: whether what the model writes in a call stays in the chat: only then may a prompt that holds text from outside
    #: lead to it
    stays_in_chat: bool = False

    @cached_property
    def declaration(self) -> ToolDeclaration:
        """What the model is told of it."""
        return ToolDeclaration(name=self.name, description=self.description, parameters=dict(self.parameters))
