"""A tool: what it is called, what it takes, which ports it needs, and how it answers."""

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

#: a tool that takes longer is not waited for: somebody waits for the answer
TOOL_TIMEOUT_S: Final = 10.0


@dataclass(frozen=True, kw_only=True)
class ToolContext:
    """Who asks, where and when; and the ports of the tool that it is handed to."""

    #: the person whose messages are being answered; none: several people's are
    asker: Author | None
    #: from whose limits what it costs is paid; 0: nobody's
    payer: int = 0
    chat: ChatKey
    kind: ChatKind
    #: the place that the chat is, and the one that it was before it became a supergroup
    places: tuple[str, ...] = ()
    #: its id; empty before the first answer in a chat, which begins it
    conversation: str
    now: datetime
    #: in which whoever asks says times
    zone: tzinfo
    #: whether the prompt held text from outside
    saw_outside: bool = False
    #: whether a person asks now, and it is nothing that came to be due
    is_asked: bool = True
    #: what this plan knows of the web so far
    browsing: Browsing = field(default_factory=Browsing)
    #: what is remembered of whoever is answered, as far as it may be shown here; and the ids of what was looked up
    remembered: VisibleMemories = field(default_factory=VisibleMemories)
    touched: set[str] = field(default_factory=set)
    #: what the model is shown of other conversations meanwhile
    shown: list[ShownSpan] = field(default_factory=list)
    ports: PortRegistry = NO_PORTS


@dataclass(frozen=True)
class ToolOutput:
    """What a tool answers where it depends on the call whether that holds words from outside."""

    parts: tuple[str, ...]
    #: what of it is from outside, in lull's own words; empty: nothing
    outside: str = ""
    #: whether it tells nothing that was not told in this planning
    is_known: bool = False


@dataclass(frozen=True, kw_only=True)
class Tool:
    """Something that answers the model while it plans, and has no effect on anybody.

    `run` takes the arguments as the model wrote them, which may be anything that JSON can be. It answers in a text for
    the model, or in several, which are shortened alike where they have no room, within a bounded time and size. Raises
    ToolFailed with a sentence for the model; what a port raises may go on as it is.
    """

    name: str
    #: for the model: what it answers, and how to ask
    description: str
    #: the JSON Schema of the arguments, an object, in Gemini's subset
    parameters: Mapping[str, object]
    run: Callable[[Mapping[str, object], ToolContext], Awaitable[str | tuple[str, ...] | ToolOutput]]
    #: the types of the ports that `run` uses; it is given no other
    needs: tuple[type, ...] = ()
    #: whether it may be called after text from outside was seen: what the model writes in a call then reaches nobody
    #: who could have written that text
    stays_in_chat: bool = False
    #: whether its answers hold text from outside
    reads_outside: bool = False
    #: whether later prompts may tell what it found
    is_retold: bool = True
    #: who waits longer than this for an answer goes on without it
    timeout_s: float = TOOL_TIMEOUT_S

    @cached_property
    def declaration(self) -> ToolDeclaration:
        """What the model is told of it."""
        return ToolDeclaration(
            name=self.name,
            description=self.description,
            parameters=dict(self.parameters),
            stays_in_chat=self.stays_in_chat,
        )
