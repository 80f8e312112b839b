"""Tools: name, arguments, ports, and answers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property
from typing import Final

from shared.llm.ports.world import NO_PORTS, PortRegistry
from shared.tools.browsing import Browsing
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.memory import VisibleMemories
from shared.values.message import Author
from shared.values.origin import ShownSpan
from shared.values.prompt import ToolDeclaration

#: the default time-out, since a person waits for the answer
TOOL_TIMEOUT_S: Final = 10.0


@dataclass(frozen=True, kw_only=True)
class ToolContext:
    """The context of a tool call: who asks, where and when, and the tool's ports."""

    #: the person who is answered; None if several are
    asker: Author | None
    #: the person whose limits pay for it; 0 for nobody
    payer: int = 0
    chat: ChatKey
    kind: ChatKind
    #: the chat's place, and the one it had before it became a supergroup
    places: tuple[str, ...] = ()
    #: the conversation's id; empty before the first answer in a chat
    conversation: str
    now: datetime
    #: the time zone of the asker
    zone: tzinfo
    #: whether the prompt held text from outside
    saw_outside: bool = False
    #: whether a person asks now, rather than a reminder or another due job
    is_asked: bool = True
    #: the plan's browsing state
    browsing: Browsing = field(default_factory=Browsing)
    #: memories of the person who is answered that may be shown here, and the ids of those that were looked up
    remembered: VisibleMemories = field(default_factory=VisibleMemories)
    touched: set[str] = field(default_factory=set)
    #: excerpts of other conversations that tools show the model
    shown: list[ShownSpan] = field(default_factory=list)
    ports: PortRegistry = NO_PORTS


@dataclass(frozen=True)
class ToolOutput:
    """A tool's answer whose origins depend on the call."""

    parts: tuple[str, ...]
    #: what in it comes from outside, in lull's words; empty if nothing does
    outside: str = ""
    #: whether the model was told all of it before in this plan
    is_known: bool = False


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A function that answers the model while it plans, without effects.

    `run` gets the arguments as the model wrote them, which may be any JSON. It returns one text for the model, or
    several that are shortened alike if there is too little room, in bounded time and size. It raises ToolFailed with
    a sentence for the model; errors of ports may pass through.
    """

    name: str
    #: for the model: what the tool answers, and how to call it
    description: str
    #: the JSON Schema of the arguments: an object, in Gemini's subset
    parameters: Mapping[str, object]
    run: Callable[[Mapping[str, object], ToolContext], Awaitable[str | tuple[str, ...] | ToolOutput]]
    #: the types of the ports that `run` uses; it gets no others
    needs: tuple[type, ...] = ()
    #: whether it may be called after text from outside was seen: the arguments then reach nobody who could have written
    #: that text
    stays_in_chat: bool = False
    #: whether its answers contain text from outside
    reads_outside: bool = False
    #: whether later prompts may show its answers
    is_retold: bool = True
    #: the time-out in seconds, after which planning goes on without an answer
    timeout_s: float = TOOL_TIMEOUT_S

    @cached_property
    def declaration(self) -> ToolDeclaration:
        """The tool's declaration for the model."""
        return ToolDeclaration(
            name=self.name,
            description=self.description,
            parameters=dict(self.parameters),
            stays_in_chat=self.stays_in_chat,
        )
