"""The planner: asks the model until its reply is a plan, and runs the tools that it calls meanwhile.

Nothing here is sent to anybody. The result is a plan, or the reason why there is none.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from shared.errors import ModelRefused, ModelTrouble
from shared.models.agent import Codec
from shared.models.prompt import (
    LEAST_SHORTENED,
    Headroom,
    ModelReply,
    Prompt,
    PromptTurn,
    Role,
    ToolAnswer,
    ToolCall,
    ToolDeclaration,
)
from shared.models.retry import Budgets, Failure, GiveUp, decide_retry
from shared.models.usage import ModelCall
from shared.ports.outside import Model
from shared.spelling.raw_task import ReplyProblem
from shared.spelling.reply import ParsedReply, parse_reply
from shared.spelling.schema import plan_schema
from shared.tasks.registry import usable
from shared.tasks.task import Task

#: this share of the headroom is kept free of tools' answers, for corrections
CORRECTIONS_SHARE = 1 / 3


#: reviews a plan: returns it, changed or not, or, if the flag allows sending it back, what is wrong with it
Review: TypeAlias = Callable[[ParsedReply, bool], ParsedReply | ReplyProblem]

ENDLESS = 10**9

CUT_SHORT = "Your reply was cut off before its end. Answer again with a shorter plan."
THOUGHT_OUT = "Your thoughts took all the room of your reply. Think less, and answer again with the whole plan."
BAD_CALL = "Your call of a function could not be read. Call it as it is declared, or answer with the plan."
NO_HEADROOM = "there is no room left to say what was wrong with its reply"
ECHOED = (
    "A text of your plan is what you were told about your reply, which nobody is to read. Answer the people instead."
)
NO_CALLS = "You can call no function now. Answer with the plan, from what you know."


@dataclass(frozen=True, kw_only=True)
class PlanResult:
    """The tasks that the model planned; or none, and in `failure` the reason."""

    tasks: tuple[Task, ...] = ()
    notes: tuple[str, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    failure: str = ""
    #: why there is none, if it is the model's refusal
    trouble: ModelTrouble = ModelTrouble.UNKNOWN
    #: whether people saw the first message grow as a draft; then it is sent without showing that somebody types
    was_shown: bool = False
    #: whether the prompt held text from outside
    saw_outside: bool = False


#: answers a model's calls of tools, each in its place
AnswersTo: TypeAlias = Callable[[Sequence[ToolCall]], Awaitable[Sequence[ToolAnswer]]]


async def nothing_answered(calls: Sequence[ToolCall]) -> Sequence[ToolAnswer]:
    """What is answered where no tools are declared."""
    return ()


@dataclass(frozen=True, kw_only=True)
class PlanningOptions:
    """How a plan is written, which tools help, who is told of the text meanwhile, and who reviews the plan.

    `on_text` gets what is written so far of each reply, from the reply's start; a corrected reply begins anew. `review`
    may change every plan, and may send back the first. Of the budgets, `reply` and `tools` are used, each for itself,
    without a pause between two tries. What is said with the model stays within `headroom`, if there is one.
    """

    clock: Callable[[], datetime]
    codec: Codec = Codec.JSON
    #: what the model may ask meanwhile, and who answers it
    tools: Sequence[ToolDeclaration] = ()
    answers_to: AnswersTo = nothing_answered
    budgets: Budgets = field(default=Budgets())
    on_text: Callable[[str], None] | None = None
    review: Review | None = None
    headroom: Headroom | None = None
    #: whether the prompt names messages by their ids, so that a task may
    names_messages: bool = True
    #: whether the prompt holds text from outside, so that no task may reach beyond the chat
    saw_outside: bool = False


async def make_plan(model: Model, prompt: Prompt, kinds: Sequence[str], options: PlanningOptions) -> PlanResult:
    """The tasks that the model plans, of these kinds. Raises ModelUnavailable.

    The model is asked at most as often as the budgets for replies and for rounds of tools allow together.
    """
    exchange = _Exchange(options, prompt)
    kinds = usable(kinds, names_messages=options.names_messages, saw_outside=options.saw_outside)
    schema = plan_schema(kinds, names_messages=options.names_messages) if options.codec is Codec.JSON else None
    while True:
        try:
            reply = await model.generate(exchange.prompt, schema, options.on_text)
        except ModelRefused as refusal:
            calls = (*exchange.calls, *filter(None, [refusal.call]))
            return PlanResult(calls=calls, failure=str(refusal), trouble=refusal.trouble)
        if exchange.is_round(reply):
            if exchange.has_headroom_for(reply):
                await exchange.answer(reply)
                continue
            exchange.may_call = False
        plan = exchange.plan_in(reply, kinds)
        if isinstance(plan, ParsedReply):
            calls = (*exchange.calls, reply.call)
            return PlanResult(tasks=plan.tasks, notes=plan.notes, calls=calls, saw_outside=options.saw_outside)
        if failure := exchange.send_back(reply, plan.hint):
            return PlanResult(calls=tuple(exchange.calls), failure=failure)


@dataclass
class _Exchange:
    """What has been said with the model so far, and what of the budgets is used up."""

    options: PlanningOptions
    #: the first request
    asked: Prompt
    turns: list[PromptTurn] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    replies: int = 0
    rounds: int = 0
    may_call: bool = True
    may_send_back: bool = True
    #: by how much the limit of a reply is raised, for a model whose thoughts filled one
    widened: int = 1

    @property
    def prompt(self) -> Prompt:
        """The next request: the first one, cut if it must be, and what was said since."""
        headroom, tools = self.options.headroom, self.options.tools
        asked = headroom.leaving(self._used) if headroom and self.turns else self.asked
        limit = asked.reply_tokens * self.widened if asked.reply_tokens is not None else None
        changed = {"may_call": self.may_call, "reply_tokens": limit}
        return asked.with_tools(tools).with_turns(*self.turns).model_copy(update=changed)

    @property
    def _used(self) -> int:
        return sum(turn.characters for turn in self.turns)

    def is_round(self, reply: ModelReply) -> bool:
        """Whether the reply calls tools, and may. Its text is not its last word then."""
        return bool(reply.tool_calls) and reply.is_complete and bool(self.options.tools) and self.may_call

    def has_headroom_for(self, reply: ModelReply) -> bool:
        """Whether the reply's calls, which are passed back as they are, leave enough headroom for useful answers."""
        return self._longest_answer(reply) >= LEAST_SHORTENED

    def _longest_answer(self, reply: ModelReply) -> int:
        """Characters that each answer to a reply's calls may take."""
        headroom = self.options.headroom
        if headroom is None:
            return ENDLESS
        named = sum(ToolAnswer(call=call, text="").characters for call in reply.tool_calls)
        left = headroom.most * (1 - CORRECTIONS_SHARE) - self._used - len(reply.verbatim) - named
        return int(left / len(reply.tool_calls))

    async def answer(self, reply: ModelReply) -> None:
        """Run the tools. After the last round the model must answer."""
        self.rounds += 1
        self.calls.append(reply.call)
        called = PromptTurn(role=Role.MODEL, verbatim=reply.verbatim)
        longest = self._longest_answer(reply)
        whole = await self.options.answers_to(reply.tool_calls)
        answers = tuple(one.model_copy(update={"text": self._shortened(one.text, longest)}) for one in whole)
        self.turns += (called, PromptTurn(role=Role.USER, answers=answers))
        failure = Failure(why="the model went on calling tools", tries=self.rounds)
        if isinstance(decide_retry(failure, self.options.budgets.tools, self.options.clock()), GiveUp):
            self.may_call = False

    def _shortened(self, text: str, longest: int) -> str:
        return self.options.headroom.shortened(text, longest) if self.options.headroom else text

    def plan_in(self, reply: ModelReply, kinds: Sequence[str]) -> ParsedReply | ReplyProblem:
        """The reviewed plan of the reply, or what is wrong with the reply."""
        if not reply.is_complete:
            return ReplyProblem(hint=self._cut_short(reply))
        if reply.tool_calls and not reply.text.strip():
            return ReplyProblem(hint=NO_CALLS)
        parsed = parse_reply(reply.text, kinds, self.options.codec)
        if isinstance(parsed, ParsedReply) and self._echoes_a_correction(parsed):
            return ReplyProblem(hint=ECHOED)
        if isinstance(parsed, ParsedReply) and not self.options.names_messages:
            # the prompt names no message, so the model made an id up
            parsed = ParsedReply(tuple(task.without_message() or task for task in parsed.tasks), parsed.notes)
        if isinstance(parsed, ParsedReply) and self.options.review is not None:
            parsed = self.options.review(parsed, self.may_send_back)
            self.may_send_back = False
        return parsed

    def _echoes_a_correction(self, plan: ParsedReply) -> bool:
        """Whether a text for people is what the model was told. Small models take that for what they are asked."""
        told = [call.problem for call in self.calls if call.problem]
        return any(problem in task.words for problem in told for task in plan.tasks if task.traits.is_text)

    def _cut_short(self, reply: ModelReply) -> str:
        """What is wrong with a reply that did not end by itself. Models call functions also where none is declared."""
        if reply.is_bad_call:
            return BAD_CALL if self.options.tools and self.may_call else NO_CALLS
        if reply.call.thought_tokens <= reply.call.output_tokens:
            return CUT_SHORT
        # Gemini counts thoughts against the limit (googleapis/python-genai, issue 2062), so it would fill it again
        self.widened *= 2
        return THOUGHT_OUT

    def send_back(self, reply: ModelReply, problem: str) -> str:
        """Tell the model what was wrong with its reply. Returns why it is told no more; empty if it was told."""
        self.replies += 1
        self.calls.append(reply.call.model_copy(update={"problem": problem}))
        decision = decide_retry(
            Failure(why=problem, tries=self.replies), self.options.budgets.reply, self.options.clock()
        )
        if isinstance(decision, GiveUp):
            return f"the model gave no usable plan: {decision.why}"
        correction = PromptTurn(role=Role.USER, parts=(f"{problem}\n[RESPOND]",))
        longest = self._longest_reply(correction)
        if longest < LEAST_SHORTENED:
            return f"the model gave no usable plan: {NO_HEADROOM}: {problem}"
        own = self._shortened(reply.text or "(nothing)", longest)
        self.turns += (PromptTurn(role=Role.MODEL, parts=(own,)), correction)
        return ""

    def _longest_reply(self, correction: PromptTurn) -> int:
        """Characters that a refused reply may take: half of what is left, so that the next one has headroom too."""
        headroom = self.options.headroom
        if headroom is None:
            return ENDLESS
        left = headroom.most - self._used - correction.characters - 1
        return max(left // 2, min(left, LEAST_SHORTENED))
