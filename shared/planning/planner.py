"""The planner: asks the model until its reply is a plan, and answers what it asks of tools meanwhile.

Nothing here has an effect on anybody: what the model wants done is a plan in the end, or an honest failure.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from shared.errors import ModelRefused
from shared.models.agent import Codec
from shared.models.prompt import ModelReply, Prompt, PromptTurn, Role, ToolAnswer
from shared.models.retry import Budgets, Failure, GiveUp, decide_retry
from shared.models.usage import ModelCall
from shared.planning.reply import ParsedReply, ReplyProblem, parse_reply
from shared.planning.schema import plan_schema
from shared.ports.outside import Model
from shared.tasks.registry import Task, usable
from shared.tasks.send import Send
from shared.tools.tool import Tool
from shared.tools.toolbox import answers_to


@dataclass(frozen=True, kw_only=True)
class Room:
    """What all that is said with the model may take, so that no request grows larger than a prompt may be."""

    #: characters
    most: int
    #: the prompt, with so many characters left free: its conversation is cut where it must be
    leaving: Callable[[int], Prompt]
    #: a text, its middle left out if it is longer than so many characters (at least `LEAST_SHORTENED`)
    shortened: Callable[[str, int], str]


#: a text that is shortened says so, which takes some
LEAST_SHORTENED = 60
#: of the room, as much is left by rounds of tools for what must be corrected after them
CORRECTIONS_SHARE = 1 / 3


#: looks a plan through before it is taken: changes it, or, where it may, says what is wrong with it
Review: TypeAlias = Callable[[ParsedReply, bool], ParsedReply | ReplyProblem]

ENDLESS = 10**9

CUT_SHORT = "Your reply was cut off before its end. Answer again with a shorter plan."
BAD_CALL = "Your call of a function could not be read. Call it as it is declared, or answer with the plan."
NO_ROOM = "there is no room left to say what was wrong with its reply"
NO_CALLS = "You can call no function now. Answer with the plan, from what you know."


@dataclass(frozen=True, kw_only=True)
class Drafted:
    """What came of asking the model: its tasks, or none with `failure` saying why there are none."""

    tasks: tuple[Task, ...] = ()
    notes: tuple[str, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    failure: str = ""
    #: whether people have seen the first message grow as a draft, so that nobody need be seen typing it
    was_shown: bool = False


@dataclass(frozen=True, kw_only=True)
class Terms:
    """How a plan is to be written and with what help, who listens while it is, and who looks it through.

    `on_text` is told what is written so far of each reply, from its start: a corrected reply begins anew. `review` may
    change a plan or send it back; that once, and then no more. Of the budgets, `reply` and `tools` are used, each for
    itself; nothing is waited for between two tries. What is said with the model stays within `room`, if there is one.
    """

    clock: Callable[[], datetime]
    codec: Codec = Codec.JSON
    tools: Sequence[Tool] = ()
    budgets: Budgets = field(default=Budgets())
    on_text: Callable[[str], None] | None = None
    review: Review | None = None
    room: Room | None = None
    #: whether the prompt names messages by their ids, so that a task may
    names_messages: bool = True


async def draft_plan(model: Model, prompt: Prompt, kinds: Sequence[str], terms: Terms) -> Drafted:
    """The tasks that the model wants done. Raises ModelUnavailable.

    It asks at most as often as the budgets for replies and for rounds of tools allow together.
    """
    talk = _Talk(terms, prompt)
    kinds = usable(kinds, names_messages=terms.names_messages)
    schema = plan_schema(kinds, names_messages=terms.names_messages) if terms.codec is Codec.JSON else None
    while True:
        try:
            reply = await model.generate(talk.prompt, schema, terms.on_text)
        except ModelRefused as refusal:
            return Drafted(calls=tuple(talk.calls), failure=str(refusal))
        if talk.is_round(reply):
            if talk.has_room_for(reply):
                await talk.answer(reply)
                continue
            talk.may_call = False
        found = talk.plan_in(reply, kinds)
        if isinstance(found, ParsedReply):
            return Drafted(tasks=found.tasks, notes=found.notes, calls=(*talk.calls, reply.call))
        if failure := talk.send_back(reply, found.hint):
            return Drafted(calls=tuple(talk.calls), failure=failure)


@dataclass
class _Talk:
    """What has been said with the model so far, and what it has used up."""

    terms: Terms
    #: what the model was asked first
    asked: Prompt
    turns: list[PromptTurn] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    replies: int = 0
    rounds: int = 0
    may_call: bool = True
    may_send_back: bool = True

    @property
    def prompt(self) -> Prompt:
        """What the model is asked now: what it was asked first, cut if it must be, and what was said since."""
        room = self.terms.room
        asked = room.leaving(self._used) if room and self.turns else self.asked
        tools = [tool.declaration for tool in self.terms.tools]
        return asked.with_tools(tools).with_turns(*self.turns).model_copy(update={"may_call": self.may_call})

    @property
    def _used(self) -> int:
        return sum(turn.characters for turn in self.turns)

    def is_round(self, reply: ModelReply) -> bool:
        """Whether the reply asks tools, and may; what else it says is not its last word then."""
        return bool(reply.tool_calls) and reply.is_complete and bool(self.terms.tools) and self.may_call

    def has_room_for(self, reply: ModelReply) -> bool:
        """Whether its calls, which are passed back as they are, leave room for answers that say something."""
        return self._longest_answer(reply) >= LEAST_SHORTENED

    def _longest_answer(self, reply: ModelReply) -> int:
        """Characters that each answer to a reply's calls may take."""
        room = self.terms.room
        if room is None:
            return ENDLESS
        named = sum(ToolAnswer(call=call, text="").characters for call in reply.tool_calls)
        left = room.most * (1 - CORRECTIONS_SHARE) - self._used - len(reply.verbatim) - named
        return int(left / len(reply.tool_calls))

    async def answer(self, reply: ModelReply) -> None:
        """Let the tools answer; after the last round the model must."""
        self.rounds += 1
        self.calls.append(reply.call)
        called = PromptTurn(role=Role.MODEL, verbatim=reply.verbatim)
        longest = self._longest_answer(reply)
        found = await answers_to(reply.tool_calls, self.terms.tools)
        answers = tuple(one.model_copy(update={"text": self._shortened(one.text, longest)}) for one in found)
        self.turns += (called, PromptTurn(role=Role.USER, answers=answers))
        failure = Failure(why="the model went on calling tools", tries=self.rounds)
        if isinstance(decide_retry(failure, self.terms.budgets.tools, self.terms.clock()), GiveUp):
            self.may_call = False

    def _shortened(self, text: str, longest: int) -> str:
        return self.terms.room.shortened(text, longest) if self.terms.room else text

    def plan_in(self, reply: ModelReply, kinds: Sequence[str]) -> ParsedReply | ReplyProblem:
        """The plan that the reply holds, looked through; or what is wrong with it."""
        if not reply.is_complete:
            return ReplyProblem(hint=BAD_CALL if reply.is_bad_call else CUT_SHORT)
        if reply.tool_calls and not reply.text.strip():
            return ReplyProblem(hint=NO_CALLS)
        parsed = parse_reply(reply.text, kinds, self.terms.codec)
        if isinstance(parsed, ParsedReply) and not self.terms.names_messages:
            parsed = ParsedReply(tuple(map(_naming_none, parsed.tasks)), parsed.notes)
        if isinstance(parsed, ParsedReply) and self.terms.review is not None:
            parsed = self.terms.review(parsed, self.may_send_back)
            self.may_send_back = False
        return parsed

    def send_back(self, reply: ModelReply, problem: str) -> str:
        """Tell the model what was wrong with its reply; not empty: why it is not told any more."""
        self.replies += 1
        self.calls.append(reply.call.model_copy(update={"problem": problem}))
        decision = decide_retry(Failure(why=problem, tries=self.replies), self.terms.budgets.reply, self.terms.clock())
        if isinstance(decision, GiveUp):
            return f"the model gave no usable plan: {decision.why}"
        correction = PromptTurn(role=Role.USER, parts=(f"{problem}\n[RESPOND]",))
        longest = self._longest_reply(correction)
        if longest < LEAST_SHORTENED:
            return f"the model gave no usable plan: {NO_ROOM}: {problem}"
        own = self._shortened(reply.text or "(nothing)", longest)
        self.turns += (PromptTurn(role=Role.MODEL, parts=(own,)), correction)
        return ""

    def _longest_reply(self, correction: PromptTurn) -> int:
        """Characters that a refused reply may take: half of what is left, so that there is room for the next."""
        room = self.terms.room
        if room is None:
            return ENDLESS
        left = room.most - self._used - correction.characters - 1
        return max(left // 2, min(left, LEAST_SHORTENED))


def _naming_none(task: Task) -> Task:
    """The task without a message's id, which the model can only have made up."""
    return task.model_copy(update={"reply_to": None}) if isinstance(task, Send) else task
