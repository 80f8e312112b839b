"""A prompt for the model, with its files and tools, and the model's reply."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import Field

from shared.base.model_call import ModelCall
from shared.values.capabilities import OutputKind
from shared.values.evolve import FrozenModel, evolve
from shared.values.origin import TextOrigin, TextSource

if TYPE_CHECKING:
    from shared.values.media import MediaRef


class Attachment(FrozenModel):
    """One file as a model takes it. `repr` omits the bytes, so that no log holds them."""

    mime_type: str
    content: bytes = Field(repr=False)
    #: whether a low resolution is enough, as for a sticker; if it is enough for all files, the prompt costs fewer
    #: tokens
    is_simple: bool = False
    #: seconds of a sound or a film, and pages of a PDF; 0 if none or unknown
    duration_s: float = 0.0
    pages: int = 0


@dataclass(frozen=True, kw_only=True)
class AttachedFile:
    """A file of a conversation that is attached to a prompt: its label, and its parts as the model accepts them."""

    #: in lull's own words: "the photo of message 12"
    label: str
    parts: tuple[Attachment, ...]
    #: the key of the file (`file_key`)
    file: str = ""
    #: whether it may hold words that the people of the chat did not write
    is_outside: bool = True
    #: the file, if it counts as text from outside only until a description says whether the file holds text
    unseen: "MediaRef | None" = None


#: least characters of a shortened text; the mark for the cut takes some of them
LEAST_SHORTENED = 60
#: the new end of a file's mark in the prompt when the model is asked again without the file
_NOT_SHOWN = ", which cannot be shown to you: say so, and guess nothing about it]"


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """One page that a search found. Strangers wrote all of its texts."""

    title: str
    url: str
    #: what the page says, in a few words; empty if unknown
    snippet: str = ""


@dataclass(frozen=True, kw_only=True)
class SearchResults:
    """The pages that a search found, best first, with links to the search engine's own pages."""

    results: tuple[SearchResult, ...]
    #: the search engine's own pages; its terms require to show them with the results
    shown_with: tuple[str, ...] = ()


class ToolDeclaration(FrozenModel):
    """A tool, as it is declared to the model; `parameters` is the JSON Schema of an object."""

    name: str
    description: str
    parameters: dict[str, Any]
    #: whether the tool may be called after the model saw text from outside; not part of the declaration
    stays_in_chat: bool = Field(default=True, exclude=True)

    @cached_property
    def characters(self) -> int:
        """The length of the declaration as JSON."""
        return len(self.model_dump_json())


class ToolCall(FrozenModel):
    """A call of a tool by the model, not checked yet."""

    #: the model's own id of this call, which the answer must carry; empty if the model gave none
    id: str = ""
    name: str
    arguments: dict[str, Any]


class ToolAnswer(FrozenModel):
    """The answer to a tool call: a text, or an error in the call. Only the model sees it."""

    call: ToolCall
    text: str
    #: the texts of the answer, if there are several: each text is shortened separately
    parts: tuple[str, ...] = ()
    is_error: bool = False
    #: what in the answer comes from outside, in lull's own words; empty if nothing does
    outside: str = ""
    #: whether later prompts may mention the result
    is_retold: bool = True
    #: whether the answer repeats an earlier answer
    is_known: bool = False
    seconds: float = 0.0

    @property
    def characters(self) -> int:
        """The length of the answer in the prompt, with a line end."""
        return len(self.call.id) + len(self.call.name) + len(self.text) + 1

    def shorten(self, by: Callable[[str], str]) -> "ToolAnswer":
        """Return the answer with each of its texts shortened by the function `by`."""
        text = "\n\n".join(map(by, self.parts)) if self.parts else by(self.text)
        return evolve(self, text=text)


class TurnRole(StrEnum):
    """The role of a turn. Gemini knows only these two."""

    USER = "user"
    MODEL = "model"


class PromptTurn(FrozenModel):
    """One turn of a prompt: texts and files, or the model's own calls of tools, or the answers to such calls."""

    role: TurnRole
    parts: tuple[str, ...] = ()
    #: files that the model is shown; they do not count in `characters`
    attached: tuple[Attachment, ...] = ()
    #: for each file, the number of texts before the file; empty if all files precede the texts
    attached_at: tuple[int, ...] = ()
    #: a reply of the model as it was received; sent back instead of the parts
    verbatim: str = ""
    #: the tools' answers to the calls of the turn before
    answers: tuple[ToolAnswer, ...] = ()

    @property
    def characters(self) -> int:
        """The length of the turn, with a line end for each text."""
        answered = sum(answer.characters for answer in self.answers)
        return sum(len(part) + 1 for part in self.parts) + len(self.verbatim) + answered

    def keep_files(self, is_kept: Callable[[Attachment], bool]) -> "PromptTurn":
        """Return the turn with only the files for which `is_kept` is true.

        The label before each removed file then says that the file is not shown.
        """
        places = self.attached_at or (0,) * len(self.attached)
        files = [(file, at, is_kept(file)) for file, at in zip(self.attached, places, strict=True)]
        if all(kept for _, _, kept in files):
            return self
        marks = {at - 1 for _, at, kept in files if not kept}
        parts = tuple(
            f"{part.removesuffix(']')}{_NOT_SHOWN}" if n in marks else part for n, part in enumerate(self.parts)
        )
        attached_at = tuple(at for _, at, kept in files if kept) if self.attached_at else ()
        return evolve(self, parts=parts, attached=tuple(f for f, _, kept in files if kept), attached_at=attached_at)


class PromptSize(FrozenModel):
    """The estimated size of a prompt, and what was left out for lack of room. It has no text, so it may be logged."""

    #: tokens, estimated; more than `max_tokens` only if the agent's own texts leave no room for a conversation
    tokens: int
    max_tokens: int
    #: characters of each layer (a section of the prompt)
    layers: dict[str, int]
    messages_shown: int
    #: messages that had no room
    messages_cut: int
    texts_shortened: int
    #: files that the model is shown; they take no characters
    attached: int = 0
    #: the beginning of the system instruction's SHA-256 in hexadecimal digits; "" if an earlier version made the record
    instruction_hash: str = ""


class PromptRecord(PromptSize):
    """The size of a plan's first prompt, with what is needed to assemble the prompt again from the transcript."""

    #: the model's name, and the `PromptFormat`
    model: str
    format: str
    characters_per_token: float
    #: the number of the first entry that was read for the prompt
    first_seq: int = 0
    #: the number of the last entry that the summary of the older part covered; 0 if there was no summary
    summarized_seq: int = 0
    #: the messages that were to be answered, by message id
    targets: tuple[int, ...] = ()


def declared_characters(tools: Iterable[ToolDeclaration]) -> int:
    """Return the number of characters in the declarations of some tools."""
    return sum(tool.characters for tool in tools)


class Prompt(FrozenModel):
    """A prompt: the system instruction, then turns, of which the first and the last are the user's.

    Stable texts come first and changing ones last, so that the model's cache can reuse the beginning.
    """

    system: str
    turns: tuple[PromptTurn, ...]
    size: PromptSize | None = None
    #: the sources of its texts, without duplicates
    sources: tuple[TextSource, ...] = ()
    #: the tools that the model may call before it answers
    tools: tuple[ToolDeclaration, ...] = ()
    #: False once it may call no more tools and must answer
    may_call: bool = True
    #: whether the model searches the web for its answer; if so, it calls no tools
    searches: bool = False
    #: the kind of answer to make, and the voice to speak with
    makes: OutputKind = OutputKind.TEXT
    voice: str = ""
    #: maximum tokens of the reply, thoughts included; None: the model's own limit
    reply_tokens: int | None = None

    @property
    def characters(self) -> int:
        """The length of the prompt: all texts with a line end each, tool declarations, calls and answers."""
        return len(self.system) + declared_characters(self.tools) + sum(turn.characters for turn in self.turns)

    @property
    def outside(self) -> tuple[str, ...]:
        """Descriptions, in lull's own words, of the prompt's texts from outside the chat; empty if there are none."""
        return tuple(source.what for source in self.sources if source.origin is TextOrigin.OUTSIDE)

    @property
    def attached(self) -> tuple[Attachment, ...]:
        """The files that the model is shown, of all turns in order."""
        return tuple(attachment for turn in self.turns for attachment in turn.attached)

    def keep_files(self, is_kept: Callable[[Attachment], bool]) -> "Prompt":
        """Return the prompt with only the files for which `is_kept` is true.

        In place of each removed file the prompt says that the file is not shown.
        """
        return evolve(self, turns=tuple(turn.keep_files(is_kept) for turn in self.turns))

    def without_files(self) -> "Prompt":
        return self.keep_files(lambda _: False)

    def with_turns(self, *more: PromptTurn) -> "Prompt":
        """Return the prompt with `more` turns after its own."""
        return evolve(self, turns=(*self.turns, *more))

    def with_tools(self, tools: Iterable[ToolDeclaration]) -> "Prompt":
        """Return the prompt with these tools declared in place of its own."""
        return evolve(self, tools=tuple(tools))


@dataclass(frozen=True, kw_only=True)
class Headroom:
    """The room for a plan's exchange with the model after the first prompt: tool calls, answers and corrections."""

    #: the most characters of this exchange
    most: int
    #: returns the prompt with this many characters left free; it cuts the conversation if necessary
    leaving: Callable[[int], Prompt]
    #: cuts the middle out of a text that is longer than this many characters (at least `LEAST_SHORTENED`)
    shorten: Callable[[str, int], str]


class CompressionSummary(FrozenModel):
    """The summary that replaces the older part of a conversation in prompts. The transcript itself is not changed."""

    #: the number of the last entry that the summary covers
    up_to_seq: int
    text: str
    made_at: datetime
    #: whether some of its source texts came from outside
    holds_outside: bool = False


class ModelReply(FrozenModel):
    """A reply of the model: text, tool calls or files."""

    text: str
    #: whether the model ended the reply by itself; a reply that a limit cut short is not used
    is_complete: bool
    call: ModelCall
    #: the tools that the model calls before it answers
    tool_calls: tuple[ToolCall, ...] = ()
    #: the reply as the adapter received it, if the reply calls tools: models sign their calls, and refuse a
    #: conversation in which the calls come back changed
    verbatim: str = ""
    #: whether the reply is incomplete because its tool call could not be parsed
    is_bad_call: bool = False
    #: the files that the model made, in order
    files: tuple[Attachment, ...] = ()
    #: the results, if the model searched the web
    found: SearchResults | None = None
