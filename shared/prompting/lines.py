"""Lines: the items of a conversation as they stand in the prompt, and the turns that they make."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from shared.models.prompt import PromptTurn, Role
from shared.models.prompt_format import PromptFormat
from shared.prompting.escaping import without_control_tokens
from shared.prompting.history import HistoryEvent, HistoryItem
from shared.prompting.messages import Style, Written, event_line, shortened
from shared.spelling.reply import reply_text
from shared.tasks.send import Send
from shared.tasks.task import Task
from shared.tasks.wait import Wait


@dataclass(frozen=True, slots=True)
class AgentWords:
    """What the agent said, as it stood in its plan."""

    text: str
    #: how long it waited before, after the message before by the same plan; 0: it did not
    waited_s: int = 0
    #: the message that it quoted, if the prompt names messages
    reply_to: int | None = None

    def tasks(self) -> Iterator[Task]:
        """The tasks of the plan: a wait, if there was one, and the message."""
        if self.waited_s:
            yield Wait(seconds=self.waited_s)
        yield Send(text=self.text, reply_to=self.reply_to)


@dataclass(frozen=True, slots=True)
class PromptLine:
    """An item of the conversation. `parts` are its texts: in a model's turn for the agent's words, else in a user's."""

    item: HistoryItem
    #: the whole of it
    written: Written
    #: what is shown of it
    parts: tuple[str, ...]
    #: the plan by which the agent said it; empty for a person's
    plan: str = ""
    #: the agent's own; none: a person's
    words: AgentWords | None = None
    is_shortened: bool = False
    #: characters, with a line's end for each part
    length: int = field(init=False)

    def __post_init__(self) -> None:
        """Measure the line, once."""
        object.__setattr__(self, "length", sum(map(len, self.parts)) + len(self.parts))

    @property
    def is_own(self) -> bool:
        """Whether these are the agent's words."""
        return self.words is not None


def line_of(item: HistoryItem, style: Style) -> PromptLine:
    """The line of an item."""
    if isinstance(item, HistoryEvent):
        written = Written(event_line(item.note), "")
        return PromptLine(item, written, (written.header,))
    if not item.is_own:
        return with_body(item, style.written(item), style, style.longest)
    whole = without_control_tokens(item.text or item.media)
    text = shortened(whole, style.longest)
    reply = item.message.reply
    names_it = reply is not None and reply.message_id > 0 and style.format is PromptFormat.META
    words = AgentWords(text, item.waited_s, reply.message_id if reply is not None and names_it else None)
    parts = (plan_text((words,), style),)
    return PromptLine(item, Written("", text), parts, item.message.plan, words, is_shortened=text != whole)


def with_body(item: HistoryItem, whole: Written, style: Style, longest: int) -> PromptLine:
    """A person's line, with a body of at most so many characters."""
    written = whole.shortened(longest)
    return PromptLine(item, whole, style.parts(written), is_shortened=written is not whole)


def plan_text(said: Sequence[AgentWords], style: Style) -> str:
    """The plan that says these words, as the agent should write it."""
    tasks = enumerate((task for words in said for task in words.tasks()), 1)
    chain = (t.model_copy(update={"id": str(n), "depends_on": (str(n - 1),) if n > 1 else ()}) for n, t in tasks)
    return reply_text(tuple(chain), style.codec)


def prompt_turns_of(lines: Iterable[PromptLine], style: Style) -> Iterator[PromptTurn]:
    """The lines as turns: the user's and the model's alternate."""
    for is_own, some in groupby(lines, lambda line: line.is_own):
        if is_own:
            yield PromptTurn(role=Role.MODEL, parts=tuple(_plans(some, style)))
        else:
            yield user_turn((part for line in some for part in line.parts), style.format)


def user_turn(texts: Iterable[str], prompt_format: PromptFormat) -> PromptTurn:
    """A turn of the user's; in the compact format it is one text, of a line for each."""
    parts = tuple(texts)
    if prompt_format is PromptFormat.COMPACT and parts:
        parts = ("\n".join(parts),)
    return PromptTurn(role=Role.USER, parts=parts)


def _plans(lines: Iterable[PromptLine], style: Style) -> Iterator[str]:
    """The agent's lines as the plans by which it said them: the parts of one long text are one plan."""
    for plan, some in groupby(lines, lambda line: line.plan):
        same = list(some)
        if plan and len(same) > 1:
            yield plan_text([line.words for line in same if line.words is not None], style)
        else:
            yield from (part for line in same for part in line.parts)
