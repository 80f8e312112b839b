"""Lines: the items of a conversation in the form in which the prompt shows them, and the turns that they make up."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from shared.planning.format.reply import reply_text
from shared.planning.prompt.escaping import without_control_tokens
from shared.planning.prompt.history import HistoryEvent, HistoryItem
from shared.planning.prompt.messages import TranscriptStyle, WrittenMessage, event_line, notes_of
from shared.planning.prompt.meta import PromptKnowledge, sent_header
from shared.tasks.send import Send
from shared.tasks.task import Task
from shared.tasks.wait import Wait
from shared.values.evolve import evolve
from shared.values.message import PlannedMessage
from shared.values.prompt import PromptTurn, TurnRole
from shared.values.prompt_format import PromptFormat


@dataclass(frozen=True, slots=True)
class AgentWords:
    """Something that the agent did, as the prompt shows it: a sent message, or a task with its fields from the plan."""

    text: str
    #: the seconds that the plan waited since its previous message; 0 if it did not wait
    waited_s: int = 0
    #: texts that the plan was to send after later waits; shown here unless their messages follow directly
    later: tuple[PlannedMessage, ...] = ()
    #: whether an earlier line announced the wait before this message
    is_foreseen: bool = False
    #: the id of the message that this one replied to, if the prompt has message ids
    reply_to: int | None = None
    #: the choices that were offered below this message
    choices: tuple[str, ...] = ()
    #: the planned task, if the task was not to send this text; None if the agent sent the text
    did: Task | None = None

    def tasks(self) -> Iterator[Task]:
        """Yield the tasks that the line shows: the wait before its message, the message, and texts planned after it."""
        if self.waited_s and not self.is_foreseen:
            yield Wait(seconds=self.waited_s)
        yield self.did or Send(text=self.text, reply_to=self.reply_to, choices=self.choices or None)
        for one in self.later:
            if one.seconds:
                yield Wait(seconds=one.seconds)
            yield Send(text=one.text)


@dataclass(frozen=True, slots=True)
class PromptLine:
    """An item of the conversation, in the form in which the prompt shows it (`parts`).

    The agent's words belong to a turn of the model, all other items to a turn of the user.
    """

    item: HistoryItem
    #: the complete message, and below, the part of it that is shown
    whole: WrittenMessage
    shown: WrittenMessage
    #: the texts that show the item
    parts: tuple[str, ...]
    #: the id of the plan that sent the message; empty for a person's line
    plan: str = ""
    #: the agent's words; None for a person's line
    words: AgentWords | None = None
    #: the id of the agent's message, if the user's next turn is to state that id
    sent: int | None = None
    #: lull's note on the message, which the user's next turn is to contain as well
    note: str = ""
    is_shortened: bool = False
    #: the number of characters, with a line end for each part
    length: int = field(init=False)

    def __post_init__(self) -> None:
        """Compute `length` once."""
        sent = len(sent_header((self.sent,))) + 1 if self.sent is not None else 0
        note = len(self.note) + 1 if self.note else 0
        object.__setattr__(self, "length", sum(map(len, self.parts)) + len(self.parts) + sent + note)

    @property
    def is_own(self) -> bool:
        """Whether the line shows words of the agent."""
        return self.words is not None


def lines_of(items: Iterable[HistoryItem], style: TranscriptStyle) -> Iterator[PromptLine]:
    """Yield the items as complete lines. Each header leaves out what the lines above already say."""
    known = style.initial_knowledge()
    return (line_of(item, style, known) for item in items)


def line_of(item: HistoryItem, style: TranscriptStyle, known: PromptKnowledge | None = None) -> PromptLine:
    """Return the item as a complete line. Its header leaves out what the reader knows (`known`, if given)."""
    if isinstance(item, HistoryEvent):
        written = WrittenMessage(event_line(item.note), "")
        return PromptLine(item, written, written, (written.header,))
    if not item.is_own:
        written = style.write(item, known)
        return PromptLine(item, written, written, style.parts(written))
    text = without_control_tokens(item.text or item.media)
    reply, message = item.message.reply, item.message
    if known is not None:
        known.show(message.message_id, message.text or message.media)
    names = style.format.names_messages
    reply_to = reply.message_id if names and reply is not None and reply.message_id > 0 else None
    choices = tuple(map(without_control_tokens, message.choices))
    later = tuple(evolve(one, text=without_control_tokens(one.text)) for one in message.later)
    sent = message.message_id if names and message.message_id > 0 else None
    note = notes_of(message, text if message.confirms and item.did is not None else "")
    if item.did is not None and not message.confirms:
        did = item.did if names else item.did.without_message() or item.did
        words, written = AgentWords("", item.waited_s, later, item.is_foreseen, did=did), WrittenMessage("", "")
        return PromptLine(item, written, written, (plan_text((words,), style),), message.plan, words, sent, note)
    if item.did is not None:
        words, written = AgentWords("", did=item.did), WrittenMessage("", "")
        return PromptLine(item, written, written, (plan_text((words,), style),), message.plan, words, sent, note)
    words = AgentWords(text, item.waited_s, later, item.is_foreseen, reply_to, choices)
    written = WrittenMessage("", text)
    return PromptLine(item, written, written, (plan_text((words,), style),), message.plan, words, sent, note)


def cut_line(line: PromptLine, style: TranscriptStyle, longest: int) -> PromptLine:
    """Return the line with its text cut to `longest` characters."""
    shown = line.whole.shorten(longest)
    if shown is line.whole:
        return line
    if line.words is None:
        return replace(line, shown=shown, parts=style.parts(shown), is_shortened=True)
    words = replace(line.words, text=shown.body)
    return replace(line, shown=shown, parts=(plan_text((words,), style),), words=words, is_shortened=True)


def with_shown_headers(lines: Iterable[PromptLine], style: TranscriptStyle) -> Iterator[PromptLine]:
    """Yield the selected lines with new headers.

    A header leaves out what the lines above it say, so it must be longer if some of these lines are not selected.
    """
    known = style.initial_knowledge()
    for line in lines:
        item = line.item
        if isinstance(item, HistoryEvent):
            yield line
        elif line.is_own:
            if not line.is_shortened:
                known.show(item.message.message_id, item.message.text or item.message.media)
            yield line
        else:
            yield _under(line, *style.heading(item.message, known), style)
            if line.is_shortened:
                known.hide(item.message.message_id)


def _under(line: PromptLine, header: str, quote: str, style: TranscriptStyle) -> PromptLine:
    """Return a person's line with another header and quote. If the quote was cut before, it stays cut."""
    shown = replace(line.shown, header=header, quote=min(quote, line.shown.quote, key=len))
    if shown == line.shown:
        return line
    return replace(line, whole=replace(line.whole, header=header, quote=quote), shown=shown, parts=style.parts(shown))


def plan_text(said: Sequence[AgentWords], style: TranscriptStyle) -> str:
    """Return a plan that sends these words, in the format in which the model writes plans."""
    tasks = enumerate((task for words in said for task in words.tasks()), 1)
    chain = (evolve(t, id=str(n), depends_on=(str(n - 1),) if n > 1 else ()) for n, t in tasks)
    return reply_text(tuple(chain), style.codec)


def prompt_turns_of(lines: Iterable[PromptLine], style: TranscriptStyle) -> Iterator[PromptTurn]:
    """Yield the lines as turns; turns of the user and of the model alternate."""
    sent: tuple[str, ...] = ()
    for is_own, some in groupby(lines, lambda line: line.is_own):
        same = list(some)
        if is_own:
            ids = [line.sent for line in same if line.sent is not None]
            sent = (*([sent_header(ids)] if ids else []), *filter(None, (line.note for line in same)))
            yield PromptTurn(role=TurnRole.MODEL, parts=tuple(_plans(same, style)))
        else:
            yield user_turn((*sent, *(part for line in same for part in line.parts)), style.format)
            sent = ()
    if sent:
        yield user_turn(sent, style.format)


def user_turn(texts: Iterable[str], prompt_format: PromptFormat) -> PromptTurn:
    """Return a turn of the user. In the formats that consist of lines, it is one text with a line for each part."""
    parts = tuple(texts)
    if prompt_format.is_of_lines and parts:
        parts = ("\n".join(parts),)
    return PromptTurn(role=TurnRole.USER, parts=parts)


def _plans(lines: Iterable[PromptLine], style: TranscriptStyle) -> Iterator[str]:
    """Yield the agent's lines as the texts of plans. Lines that the same plan sent become one plan."""
    for plan, some in groupby(lines, lambda line: line.plan):
        same = list(some)
        if plan and len(same) > 1:
            yield plan_text(_as_said([line.words for line in same if line.words is not None]), style)
        else:
            yield from (part for line in same for part in line.parts)


def _as_said(said: Sequence[AgentWords]) -> Sequence[AgentWords]:
    """Return a plan's messages. Only the last one keeps `later`: the later texts of the others are messages too."""
    *before, last = said
    return [*(replace(words, later=(), is_foreseen=False) for words in before), replace(last, is_foreseen=False)]
