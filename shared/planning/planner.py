"""The planner: it asks the model for a plan, runs tools that the model calls, and lets the model correct bad replies.

It sends nothing to people. The result is a plan, or the reason why there is none. The prompt or a tool's answer may
show the model untrusted text (text from outside). From then on, tasks that reach beyond the chat wait for a button
press, and fewer tools may be called.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from shared.base.errors import ModelRefused, ModelTrouble
from shared.base.logs import log
from shared.base.model_call import ModelCall
from shared.base.text import level
from shared.llm.ports.world import LanguageModel
from shared.planning.format.called import answers_turn, read_calls, turn_in_words
from shared.planning.format.raw_task import ReplyProblem
from shared.planning.format.reply import ParsedReply, parse_reply
from shared.planning.format.schema import plan_schema
from shared.planning.options import RETRY_HINTS, UNSIGNED, PlanningOptions
from shared.tasks.registry import usable, waiting
from shared.tasks.task import Task
from shared.values.agent import Codec
from shared.values.evolve import evolve
from shared.values.model_name import GEMINI, split_model_name
from shared.values.origin import NOT_YET_SEEN, ConversationSpan
from shared.values.prompt import (
    LEAST_SHORTENED,
    ModelReply,
    Prompt,
    PromptRecord,
    PromptTurn,
    ToolAnswer,
    ToolCall,
    ToolDeclaration,
    TurnRole,
)
from shared.values.retry import FailedAttempt, GiveUp, decide_retry
from shared.values.tool_use import ToolUse, is_new, tool_use_of


@dataclass(frozen=True, kw_only=True)
class PlanResult:
    """The tasks that the model planned, or if it gave no plan, the reason in `failure`."""

    tasks: tuple[Task, ...] = ()
    notes: tuple[str, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    #: the tools that the model used
    uses: tuple[ToolUse, ...] = ()
    failure: str = ""
    #: the kind of trouble, if the model refused
    trouble: ModelTrouble = ModelTrouble.UNKNOWN
    #: whether people saw the first message as a draft; then it is sent without a typing action
    was_shown: bool = False
    #: the kinds of untrusted text that the model saw, in lull's phrases
    outside: tuple[str, ...] = ()
    #: unique ids of files that the model saw before they were described; empty if the plan is untrusted anyway
    unseen: tuple[str, ...] = ()
    #: those addresses in the tasks' texts that somebody wrote or a tool found
    known_links: tuple[str, ...] = ()
    #: the kinds of task that wait for a button press because of untrusted text, as the model was told
    waiting: tuple[str, ...] = ()
    #: the messages of other conversations that the model saw; then, for each task, those on which the task may be based
    elsewhere: tuple[ConversationSpan, ...] = ()
    derived: tuple[tuple[ConversationSpan, ...], ...] = ()
    #: the size of the first prompt; None if there was none
    prompt: PromptRecord | None = None

    @property
    def provider(self) -> str:
        """The provider of the model that was called last."""
        return split_model_name(self.calls[-1].model).provider if self.calls else GEMINI


async def make_plan(model: LanguageModel, prompt: Prompt, kinds: Sequence[str], options: PlanningOptions) -> PlanResult:
    """Ask the model for a plan that has only tasks of these kinds. Raises ModelUnavailable.

    The model is asked at most as often as the budgets for replies and for rounds of tools allow together.
    """
    exchange = PlanningExchange(options, prompt, kinds)
    while True:
        try:
            reply = exchange.read(await model.generate(exchange.prompt, _schema(exchange), options.on_text))
        except ModelRefused as refusal:
            if exchange.ask_in_other_words(refusal) or exchange.drop_files(refusal):
                continue
            calls = (*exchange.calls, *filter(None, [refusal.call]))
            return _failure_result(exchange, str(refusal), calls, refusal.trouble)
        if exchange.is_tool_round(reply):
            if exchange.has_headroom_for(reply):
                await exchange.answer(reply)
                continue
            exchange.may_call = False
        plan = exchange.plan_in(reply)
        if isinstance(plan, ParsedReply):
            return PlanResult(
                tasks=plan.tasks,
                notes=plan.notes,
                calls=(*exchange.calls, reply.call),
                uses=tuple(exchange.uses),
                outside=tuple(exchange.outside),
                waiting=exchange.waiting,
            )
        if failure := exchange.send_back(reply, plan.hint):
            return _failure_result(exchange, failure, exchange.calls)


def _schema(exchange: PlanningExchange) -> dict[str, object] | None:
    if exchange.options.codec is not Codec.JSON:
        return None
    return plan_schema(exchange.kinds, names_messages=exchange.options.names_messages)


def _failure_result(
    exchange: PlanningExchange, why: str, calls: Sequence[ModelCall], trouble: ModelTrouble = ModelTrouble.UNKNOWN
) -> PlanResult:
    uses, outside = tuple(exchange.uses), tuple(exchange.outside)
    return PlanResult(calls=tuple(calls), uses=uses, outside=outside, failure=why, trouble=trouble)


#: the share of the headroom that is reserved for corrections
CORRECTIONS_SHARE = 1 / 3
ENDLESS = 10**9
#: the maximum number of tool uses that are stored with a plan
MOST_USES = 40

CUT_SHORT = "Your reply was cut off before its end. Answer again with a shorter plan."
THOUGHT_OUT = "Your thoughts took all the room of your reply. Think less, and answer again with the whole plan."
BAD_CALL = "Your call of a function could not be read. Call it as it is declared, or answer with the plan."
NO_HEADROOM = "there is no room left to say what was wrong with its reply"
ECHOED = (
    "A text of your plan is what you were told about your reply, which nobody is to read. Answer the people instead."
)
KNOWN = "You asked that before, and have the answer."
NO_CALLS = "You can call no function now. Answer with the plan, from what you know."
WAITS = (
    "[What you just read was written by strangers. So from here on these are offered with a button, and done only when "
    "it is pressed: {kinds}. Plan them as ever, and do not say that they are done.]"
)


@dataclass
class PlanningExchange:
    """The exchange with the model so far: the texts that the model has seen, and how much of each budget is used up."""

    options: PlanningOptions
    #: the first request
    asked: Prompt
    #: the kinds of task that are unlocked for the agent
    unlocked: Sequence[str]
    #: the turns after the first request, with complete tool results; the model is shown as much of these as fits
    said: list[PromptTurn] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    uses: list[ToolUse] = field(default_factory=list)
    #: the kinds of untrusted text that the model has seen, in lull's phrases, without repetitions; never removed
    outside: list[str] = field(default_factory=list)
    replies: int = 0
    rounds: int = 0
    may_call: bool = True
    may_send_back: bool = True
    #: whether the model is shown the files of the prompt
    shows_files: bool = True
    #: whether the model was already asked for other words after a stopped reply
    is_asked_in_other_words: bool = False
    #: the factor by which the reply's token limit was raised, because thoughts had filled a reply
    widened: int = 1

    def __post_init__(self) -> None:
        """Record the untrusted text in the first request."""
        self.saw(*self.asked.outside)

    def saw(self, *outside: str) -> None:
        """Record that the model is shown these kinds of untrusted text."""
        self.outside += [one for one in dict.fromkeys(outside) if one and one not in self.outside]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of task that the plan may have at this point."""
        return usable(self.unlocked, names_messages=self.options.names_messages)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The kinds of task that wait for a button press, since the model sees untrusted text. The prompt names them.

        Empty if files that have no description yet are the only possible untrusted text.
        """
        return waiting(self.kinds) if not NOT_YET_SEEN.issuperset(self.outside) else ()

    @property
    def tools(self) -> tuple[ToolDeclaration, ...]:
        """The tools that may be called at this point."""
        return tuple(tool for tool in self.options.tools if tool.stays_in_chat or not self.outside)

    @property
    def prompt(self) -> Prompt:
        """The next request: the first request, cut if necessary, followed by the exchange so far."""
        headroom, turns = self.options.headroom, self._turns()
        asked = headroom.leaving(_characters(turns)) if headroom and turns else self.asked
        self.saw(*asked.outside)
        asked = asked if self.shows_files else asked.without_files()
        limit = asked.reply_tokens * self.widened if asked.reply_tokens is not None else None
        declared = () if self._spells_calls else self.tools
        return evolve(asked.with_tools(declared).with_turns(*turns), may_call=self.may_call, reply_tokens=limit)

    @property
    def _spells_calls(self) -> bool:
        """Whether calls and their answers are written as text, because the codec has no other form for them."""
        return self.options.codec is Codec.MARKDOWN

    def _turns(self) -> list[PromptTurn]:
        """Return the exchange as turns. All tool results are cut to the same length, so that the headroom suffices."""
        longest = self._longest_text()
        turns = (evolve(turn, answers=self._that_fit(turn.answers, longest)) for turn in self.said)
        return [self._as_shown(turn) for turn in turns]

    def _as_shown(self, turn: PromptTurn) -> PromptTurn:
        return answers_turn(turn.answers) if turn.answers and self._spells_calls else turn

    def _that_fit(self, answers: Sequence[ToolAnswer], longest: int) -> tuple[ToolAnswer, ...]:
        headroom = self.options.headroom
        if headroom is None or longest >= ENDLESS:
            return tuple(answers)
        return tuple(answer.shorten(lambda text: headroom.shorten(text, longest)) for answer in answers)

    def _longest_text(self) -> int:
        """Return the maximum number of characters of each tool result."""
        headroom = self.options.headroom
        texts = [text for turn in self.said for answer in turn.answers for text in _texts(answer)]
        if headroom is None or not texts:
            return ENDLESS
        room = int(headroom.most * (1 - CORRECTIONS_SHARE)) - self._frames() - 2 * len(texts)
        return ENDLESS if sum(map(len, texts)) <= room else level([len(text) for text in texts], room)

    def _frames(self) -> int:
        """Return the number of characters of the exchange without the tool results."""
        said = _characters(map(self._as_shown, self.said))
        return said - sum(len(answer.text) for turn in self.said for answer in turn.answers)

    def ask_in_other_words(self, refusal: ModelRefused) -> bool:
        """If there is a hint for this refusal, add it to the exchange, once. Return whether to ask the model again."""
        hint = RETRY_HINTS.get(refusal.ended_by, "")
        if not hint or self.is_asked_in_other_words:
            return False
        log("the model's answer was stopped; the model is asked again in other words", why=refusal.ended_by)
        self.is_asked_in_other_words = True
        if refusal.call is not None:
            self.calls.append(evolve(refusal.call, problem=hint))
        if refusal.ended_by == UNSIGNED:  # a request that repeats calls without their signatures is refused again
            self.may_call = False
            self.said = [turn_in_words(turn) for turn in self.said]
        own = PromptTurn(role=TurnRole.MODEL, parts=("(nothing)",))
        self.said += (own, PromptTurn(role=TurnRole.USER, parts=(f"{hint}\n[RESPOND]",)))
        return True

    def drop_files(self, refusal: ModelRefused) -> bool:
        """Leave the files out from now on, in case the model refused because of them. Return whether to ask again."""
        if self.shows_files and self.asked.attached and refusal.trouble in {ModelTrouble.UNKNOWN, ModelTrouble.BLOCKED}:
            log("the model refused a prompt with files; it is asked again without the files")
            self.shows_files = False
            self.calls += filter(None, [refusal.call])
            return True
        return False

    def read(self, reply: ModelReply) -> ModelReply:
        """Return the reply. If the model writes calls as text, `tool_calls` has the calls found in the text."""
        if not self._spells_calls:
            return reply
        calls = read_calls(reply.text, [tool.name for tool in self.options.tools], self.tools)
        return evolve(reply, tool_calls=calls)

    def is_tool_round(self, reply: ModelReply) -> bool:
        """Return whether the reply calls tools and is allowed to. If so, the reply's text is not the final answer."""
        return bool(reply.tool_calls) and reply.is_complete and bool(self.tools) and self.may_call

    def has_headroom_for(self, reply: ModelReply) -> bool:
        """Return whether the tools' answers can still be long enough to be useful.

        The next request also repeats the reply's calls unchanged, which takes some of the room.
        """
        headroom = self.options.headroom
        if headroom is None:
            return True
        empty = [ToolAnswer(call=call, text="") for call in reply.tool_calls]
        named = self._as_shown(PromptTurn(role=TurnRole.USER, answers=tuple(empty))).characters
        texts = len(reply.tool_calls) + sum(len(_texts(a)) for turn in self.said for a in turn.answers)
        called = self._call_turn(reply).characters
        left = headroom.most * (1 - CORRECTIONS_SHARE) - self._frames() - called - named
        return left / texts >= LEAST_SHORTENED

    async def answer(self, reply: ModelReply) -> None:
        """Run the tools that the reply calls. After the last round, or if all calls are repeats, no call is allowed."""
        self.rounds += 1
        self.calls.append(reply.call)
        answers = await self._answers_to(reply.tool_calls)
        asked_by = len(self.calls) - 1
        self.uses += (tool_use_of(answer, asked_by) for answer in answers[: MOST_USES - len(self.uses)])
        failure = FailedAttempt(why="the model went on calling tools", tries=self.rounds)
        is_over = isinstance(decide_retry(failure, self.options.budgets.tools, self.options.clock()), GiveUp)
        self.may_call = not is_over and not all(answer.is_known for answer in answers)
        self.said += (self._call_turn(reply), PromptTurn(role=TurnRole.USER, answers=self._note_answers(answers)))

    async def _answers_to(self, calls: Sequence[ToolCall]) -> Sequence[ToolAnswer]:
        """Return the answers to the calls. A repeated call, or one that was answered before, does not run again."""
        given = [answer for turn in self.said for answer in turn.answers]
        places = [place for place, call in enumerate(calls) if is_new(call, calls[:place], given)]
        fresh = await self.options.answers_to([calls[one] for one in places], bool(self.outside)) if places else ()
        new = dict(zip(places, fresh, strict=True))
        return [new.get(n) or ToolAnswer(call=call, text=KNOWN, is_known=True) for n, call in enumerate(calls)]

    def _call_turn(self, reply: ModelReply) -> PromptTurn:
        if self._spells_calls:
            return PromptTurn(role=TurnRole.MODEL, parts=(reply.text,))
        return PromptTurn(role=TurnRole.MODEL, verbatim=reply.verbatim)

    def _note_answers(self, answers: Sequence[ToolAnswer]) -> tuple[ToolAnswer, ...]:
        """Record the untrusted text in the answers of tools, and return the answers as they are shown to the model.

        If more kinds of task now wait for a button press, the last answer names them. If calls are written as text and
        this was the last round, the last answer also says that no more calls are possible.
        """
        before = self.waiting
        self.saw(*(answer.outside for answer in answers))
        waits = WAITS.format(kinds=", ".join(self.waiting)) if self.waiting != before else ""
        ended = f"[{NO_CALLS}]" if self._spells_calls and not self.may_call else ""
        if not (answers and (waits or ended)):
            return tuple(answers)
        last = answers[-1]
        parts = tuple(filter(None, (*_texts(last), waits, ended)))
        return (*answers[:-1], evolve(last, text="\n\n".join(parts), parts=parts))

    def plan_in(self, reply: ModelReply) -> ParsedReply | ReplyProblem:
        """Return the reviewed plan in the reply, or the problem to report to the model."""
        if not reply.is_complete:
            return ReplyProblem(hint=self._cut_short(reply))
        parsed = parse_reply(reply.text, self.kinds, self.options.codec)
        if reply.tool_calls and (self._spells_calls or not reply.text.strip()) and isinstance(parsed, ReplyProblem):
            return ReplyProblem(hint=NO_CALLS)
        if isinstance(parsed, ParsedReply) and self._echoes_a_correction(parsed):
            return ReplyProblem(hint=ECHOED)
        if isinstance(parsed, ParsedReply) and not self.options.names_messages:
            # the prompt shows no message ids, so any message id in the plan is invented
            parsed = ParsedReply(tuple(task.without_message() or task for task in parsed.tasks), parsed.notes)
        if isinstance(parsed, ParsedReply) and self.options.review is not None:
            parsed = self.options.review(parsed, self.may_send_back)
            self.may_send_back = False
        return parsed

    def _echoes_a_correction(self, plan: ParsedReply) -> bool:
        """Return whether a text for people repeats a correction, which small models take for a person's request."""
        told = [call.problem for call in self.calls if call.problem]
        texts = [task.words for task in plan.tasks if task.traits.is_text]
        return any(problem in text for problem in told for text in texts)

    def _cut_short(self, reply: ModelReply) -> str:
        """Return the hint for a reply that is cut off, or that has an invalid call or one although none is allowed."""
        if reply.is_bad_call:
            return BAD_CALL if self.tools and self.may_call else NO_CALLS
        if reply.call.thought_tokens <= reply.call.output_tokens:
            return CUT_SHORT
        # Gemini counts thoughts against the limit (googleapis/python-genai, issue 2062), so they would fill it again
        self.widened *= 2
        return THOUGHT_OUT

    def send_back(self, reply: ModelReply, problem: str) -> str:
        """Tell the model what was wrong with its reply. Return the reason if that is not possible; else ""."""
        self.replies += 1
        self.calls.append(evolve(reply.call, problem=problem))
        decision = decide_retry(
            FailedAttempt(why=problem, tries=self.replies), self.options.budgets.reply, self.options.clock()
        )
        if isinstance(decision, GiveUp):
            return f"the model gave no usable plan: {decision.why}"
        correction = PromptTurn(role=TurnRole.USER, parts=(f"{problem}\n[RESPOND]",))
        longest = self._longest_reply(correction)
        if longest < LEAST_SHORTENED:
            return f"the model gave no usable plan: {NO_HEADROOM}: {problem}"
        own = reply.text or "(nothing)"
        own = self.options.headroom.shorten(own, longest) if self.options.headroom else own
        self.said += (PromptTurn(role=TurnRole.MODEL, parts=(own,)), correction)
        return ""

    def _longest_reply(self, correction: PromptTurn) -> int:
        """Return how many characters of a refused reply to repeat: half of the room, so that another one fits."""
        headroom = self.options.headroom
        if headroom is None:
            return ENDLESS
        left = headroom.most - _characters(self._turns()) - correction.characters - 1
        return max(left // 2, min(left, LEAST_SHORTENED))


def _characters(turns: Iterable[PromptTurn]) -> int:
    return sum(turn.characters for turn in turns)


def _texts(answer: ToolAnswer) -> tuple[str, ...]:
    return answer.parts or (answer.text,)
