"""The planner: asks the model until its reply is a plan, at most three times."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from shared.errors import ModelRefused
from shared.models.agent import Codec
from shared.models.plan import Task
from shared.models.prompt import ModelReply, Prompt, PromptTurn, Role
from shared.models.usage import ModelCall
from shared.planning.reply import ParsedReply, ReplyProblem, parse_reply
from shared.planning.schema import plan_schema
from shared.ports import Model

#: how often a reply that can't be used goes back to the model with the reason
MOST_CORRECTIONS = 2

#: looks a plan through before it is taken: changes it, or, where it may, says what is wrong with it
Review: TypeAlias = Callable[[ParsedReply, bool], ParsedReply | ReplyProblem]

CUT_SHORT = "Your reply was cut off before its end. Answer again with a shorter plan."


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
    """How a plan is to be written, who listens while it is, and who looks it through.

    `on_text` is told what is written so far of each reply, from its start: a corrected reply begins anew. `review` may
    change a plan or send it back; that once, and then no more.
    """

    codec: Codec = Codec.JSON
    on_text: Callable[[str], None] | None = None
    review: Review | None = None


async def draft_plan(model: Model, prompt: Prompt, kinds: Sequence[str], terms: Terms | None = None) -> Drafted:
    """The tasks that the model wants done. Raises ModelUnavailable.

    A reply that can't be used goes back with what was wrong; so it is one plan, or an honest failure.
    """
    terms = terms or Terms()
    schema = plan_schema(kinds) if terms.codec is Codec.JSON else None
    calls: list[ModelCall] = []
    problem = ""
    may_send_back = True
    for _ in range(1 + MOST_CORRECTIONS):
        try:
            reply = await model.generate(prompt, schema, terms.on_text)
        except ModelRefused as refusal:
            return Drafted(calls=tuple(calls), failure=str(refusal))
        parsed = _parsed(reply, kinds, terms.codec)
        if isinstance(parsed, ParsedReply) and terms.review is not None:
            parsed = terms.review(parsed, may_send_back)
            may_send_back = False
        match parsed:
            case ParsedReply(tasks=tasks, notes=notes):
                return Drafted(tasks=tasks, notes=notes, calls=(*calls, reply.call))
            case ReplyProblem(hint=problem):
                calls.append(reply.call.model_copy(update={"problem": problem}))
                prompt = prompt.with_turns(*_correction(reply, problem))
    return Drafted(calls=tuple(calls), failure=f"the model gave no usable plan: {problem}")


def _parsed(reply: ModelReply, kinds: Sequence[str], codec: Codec) -> ParsedReply | ReplyProblem:
    return parse_reply(reply.text, kinds, codec) if reply.is_complete else ReplyProblem(hint=CUT_SHORT)


def _correction(reply: ModelReply, problem: str) -> tuple[PromptTurn, PromptTurn]:
    return (
        PromptTurn(role=Role.MODEL, parts=(reply.text or "(nothing)",)),
        PromptTurn(role=Role.USER, parts=(f"{problem}\n[RESPOND]",)),
    )
