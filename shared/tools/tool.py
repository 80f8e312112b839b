"""The declaration of a tool: its name, its arguments, the ports it needs, and the kinds of its answers."""

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

#: the default time-out in seconds; it is short, since a person waits for the answer
TOOL_TIMEOUT_S: Final = 10.0


@dataclass(frozen=True, kw_only=True)
class ToolContext:
    """The context of a tool call: the person who asks, the chat, the time, and the tool's ports."""

    #: the person who is answered; None if several people are answered
    asker: Author | None
    #: the person whose limits pay for the call; 0 if no person pays
    payer: int = 0
    chat: ChatKey
    kind: ChatKind
    #: the chat's place, by which recall finds its messages; and its earlier one, if it became a supergroup
    places: tuple[str, ...] = ()
    #: the id of the conversation; empty before the first answer in a chat
    conversation: str
    now: datetime
    #: the time zone of the person who asks
    zone: tzinfo
    #: whether the prompt contained text from outside
    saw_outside: bool = False
    #: whether a person asks now; False for a reminder or another job that became due
    is_asked: bool = True
    #: the browsing state of the plan
    browsing: Browsing = field(default_factory=Browsing)
    #: the memories of the person answered that may be shown here; and below, the ids of those looked up
    remembered: VisibleMemories = field(default_factory=VisibleMemories)
    touched: set[str] = field(default_factory=set)
    #: the excerpts of other conversations that tools have shown the model
    shown: list[ShownSpan] = field(default_factory=list)
    ports: PortRegistry = NO_PORTS


@dataclass(frozen=True)
class ToolOutput:
    """The answer of a tool that decides at each call whether its answer contains text from outside."""

    parts: tuple[str, ...]
    #: a phrase of lull's for the text from outside in the answer; empty if there is none
    outside: str = ""
    #: whether the model has already seen all of this in this plan
    is_known: bool = False


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A function that the model may call while it plans. It returns information, and changes nothing for people.

    `run` gets the arguments as the model wrote them, which may be any JSON. It must limit its own time and the size of
    its answer. It returns one text for the model, or several texts, which are shortened equally if there is too little
    room. It raises ToolFailed with a sentence for the model; it may also raise the errors of its ports.
    """

    name: str
    #: the description for the model: what the tool answers, and how to call it
    description: str
    #: the JSON Schema of the arguments: an object, in the subset that Gemini accepts
    parameters: Mapping[str, object]
    run: Callable[[Mapping[str, object], ToolContext], Awaitable[str | tuple[str, ...] | ToolOutput]]
    #: the types of the ports that `run` uses; it gets no other ports
    needs: tuple[type, ...] = ()
    #: whether the tool may be called after text from outside was seen. This is safe only if the arguments cannot reach
    #: anybody who may have written that text
    stays_in_chat: bool = False
    #: whether its answers contain text from outside
    reads_outside: bool = False
    #: whether later prompts may show its answers
    is_retold: bool = True
    #: the seconds after which planning continues without the tool's answer
    timeout_s: float = TOOL_TIMEOUT_S

    @cached_property
    def declaration(self) -> ToolDeclaration:
        """The name, description and parameters of the tool, as a request to the model declares them."""
        return ToolDeclaration(
            name=self.name,
            description=self.description,
            parameters=dict(self.parameters),
            stays_in_chat=self.stays_in_chat,
        )
