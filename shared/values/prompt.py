"""A prompt: what the model is shown for one plan, files among it, the tools that it may call, and what it replies."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from shared.base.model_call import ModelCall
from shared.values.capabilities import OutputKind
from shared.values.evolve import evolve
from shared.values.origin import TextOrigin, TextSource

if TYPE_CHECKING:
    from shared.values.media import MediaRef


class Attachment(BaseModel):
    """One file as a model takes it. Its bytes are in no representation, so that no log holds them."""

    model_config = ConfigDict(frozen=True)

    mime_type: str
    content: bytes = Field(repr=False)
    #: whether little of it has to be seen, as of a sticker: where that holds of all of a prompt, it costs fewer tokens
    is_simple: bool = False
    #: seconds of a sound or a film, and pages of a PDF; 0: it has none, or they are not known
    duration_s: float = 0.0
    pages: int = 0


@dataclass(frozen=True, kw_only=True)
class AttachedFile:
    """A file of a conversation that a prompt shows: what it is called there, and what was made of it."""

    #: in lull's own words: "the photo of message 12"
    label: str
    parts: tuple[Attachment, ...]
    #: what the file is known by (`name_of`)
    file: str = ""
    #: whether it may hold words that the people of the chat did not write
    is_outside: bool = True
    #: the file, if it counts as outside only until somebody has looked whether text stands in it
    unseen: "MediaRef | None" = None


#: the mark in a shortened text takes some characters itself
LEAST_SHORTENED = 60
#: the end of a file's mark where the model was asked again without the file
_NOT_SHOWN = ", which cannot be shown to you: say so, and guess nothing about it]"


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """One page that was found; all of its texts were written by strangers."""

    title: str
    url: str
    #: what the page says, in a few words; empty: that is not known
    snippet: str = ""


@dataclass(frozen=True, kw_only=True)
class SearchResults:
    """What came of a search: pages, the best first, and where the same search can be read by people."""

    results: tuple[SearchResult, ...]
    #: addresses of the search engine's own pages, where its terms want them shown beside what it found
    shown_with: tuple[str, ...] = ()


class ToolDeclaration(BaseModel):
    """What the model is told of a tool; `parameters` is the JSON Schema of an object."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str
    parameters: dict[str, Any]
    #: whether it may be called after text from outside was seen; the model is not told
    stays_in_chat: bool = Field(default=True, exclude=True)

    @cached_property
    def characters(self) -> int:
        """How long it is as JSON."""
        return len(self.model_dump_json())


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
    #: the texts that the answer is made of, where there are several: each is shortened for itself
    parts: tuple[str, ...] = ()
    is_error: bool = False
    #: what of it is from outside, in lull's own words; empty: nothing
    outside: str = ""
    #: whether later prompts may tell what was found
    is_retold: bool = True
    #: whether it tells nothing that an earlier answer did not
    is_known: bool = False
    seconds: float = 0.0

    @property
    def characters(self) -> int:
        """How long it is, with a line's end."""
        return len(self.call.id) + len(self.call.name) + len(self.text) + 1

    def shorten(self, by: Callable[[str], str]) -> "ToolAnswer":
        """The answer with each of its texts made shorter."""
        text = "\n\n".join(map(by, self.parts)) if self.parts else by(self.text)
        return evolve(self, text=text)


class TurnRole(StrEnum):
    """Gemini knows two."""

    USER = "user"
    MODEL = "model"


class PromptTurn(BaseModel):
    """One turn: its parts are texts; or it is the model's own with calls of tools, or the answers to those."""

    model_config = ConfigDict(frozen=True)

    role: TurnRole
    parts: tuple[str, ...] = ()
    #: files that the model is shown; they count for no character
    attached: tuple[Attachment, ...] = ()
    #: for each of them, how many of the texts stand before it; empty: they all stand before the texts
    attached_at: tuple[int, ...] = ()
    #: a reply of the model's, exactly as it was; it goes instead of the parts
    verbatim: str = ""
    #: what tools answered to the calls of the turn before
    answers: tuple[ToolAnswer, ...] = ()

    @property
    def characters(self) -> int:
        """How long it is, with a line's end for each text."""
        answered = sum(answer.characters for answer in self.answers)
        return sum(len(part) + 1 for part in self.parts) + len(self.verbatim) + answered

    def without_files(self) -> "PromptTurn":
        """The turn without its files; the text that stands right before each of them says that it is not shown."""
        marks = {at - 1 for at in self.attached_at}
        parts = tuple(
            f"{part.removesuffix(']')}{_NOT_SHOWN}" if n in marks else part for n, part in enumerate(self.parts)
        )
        return evolve(self, parts=parts, attached=(), attached_at=())


class PromptSize(BaseModel):
    """How large a prompt is by lull's own estimate, and what was left out to keep it so. Holds no text: for the log."""

    model_config = ConfigDict(frozen=True)

    #: tokens, estimated; more than `max_tokens` only if the agent's own texts leave no room for a conversation
    tokens: int
    max_tokens: int
    #: characters that each layer takes
    layers: dict[str, int]
    messages_shown: int
    #: of the messages that were there to be shown
    messages_cut: int
    texts_shortened: int
    #: files that the model is shown; they take no characters
    attached: int = 0


def declared_characters(tools: Iterable[ToolDeclaration]) -> int:
    """How many characters the declarations of some tools take."""
    return sum(tool.characters for tool in tools)


class Prompt(BaseModel):
    """Stable first, changing last: the system instruction, then turns that start and end with the user's."""

    model_config = ConfigDict(frozen=True)

    system: str
    turns: tuple[PromptTurn, ...]
    size: PromptSize | None = None
    #: where its texts come from, each source once
    sources: tuple[TextSource, ...] = ()
    #: what the model may call before it answers
    tools: tuple[ToolDeclaration, ...] = ()
    #: false: it may call them no more, and must answer
    may_call: bool = True
    #: whether the model is to search the web for its answer; then it calls no tools
    searches: bool = False
    #: what the model is to answer with, and by which of its voices it speaks
    makes: OutputKind = OutputKind.TEXT
    voice: str = ""
    #: tokens of the reply, the model's thoughts among them, at most; none: as many as the model can write
    reply_tokens: int | None = None

    @property
    def characters(self) -> int:
        """How long it is: each text, and a line's end for each; what tools are declared, asked and answered, too."""
        return len(self.system) + declared_characters(self.tools) + sum(turn.characters for turn in self.turns)

    @property
    def outside(self) -> tuple[str, ...]:
        """What of it is from outside, in lull's own words; empty: nothing."""
        return tuple(source.what for source in self.sources if source.origin is TextOrigin.OUTSIDE)

    @property
    def attached(self) -> tuple[Attachment, ...]:
        """The files that the model is shown."""
        return tuple(attachment for turn in self.turns for attachment in turn.attached)

    def without_files(self) -> "Prompt":
        """The prompt without the files that the model is shown."""
        return evolve(self, turns=tuple(turn.without_files() for turn in self.turns))

    def with_turns(self, *more: PromptTurn) -> "Prompt":
        """The prompt, continued."""
        return evolve(self, turns=(*self.turns, *more))

    def with_tools(self, tools: Iterable[ToolDeclaration]) -> "Prompt":
        """The prompt, with tools that the model may call."""
        return evolve(self, tools=tuple(tools))


@dataclass(frozen=True, kw_only=True)
class Headroom:
    """How much may be said with the model after the first request, so that no request outgrows a prompt's limit."""

    #: characters
    most: int
    #: makes the prompt with so many characters left free, by cutting its conversation if it must
    leaving: Callable[[int], Prompt]
    #: cuts the middle out of a text that is longer than so many characters (at least `LEAST_SHORTENED`)
    shorten: Callable[[str, int], str]


class CompressionSummary(BaseModel):
    """What stands in a prompt for the older part of a conversation, whose transcript it leaves as it is."""

    model_config = ConfigDict(frozen=True)

    #: the number of the last entry that it speaks of
    up_to_seq: int
    text: str
    made_at: datetime
    #: whether it was made from texts from outside, too
    holds_outside: bool = False


class ModelReply(BaseModel):
    """What the model answered."""

    model_config = ConfigDict(frozen=True)

    text: str
    #: whether it ended by itself; a reply cut by a limit is not used
    is_complete: bool
    call: ModelCall
    #: the tools that it wants to have answered first
    tool_calls: tuple[ToolCall, ...] = ()
    #: the reply in the spelling of whoever asked the model, if it calls tools: models sign their calls, and refuse a
    #: conversation in which they do not find them again unchanged
    verbatim: str = ""
    #: whether it is not complete because it calls tools in a way that nobody can read
    is_bad_call: bool = False
    #: what it made besides text, in its order
    files: tuple[Attachment, ...] = ()
    #: what it found on the web, if it searched
    found: SearchResults | None = None
