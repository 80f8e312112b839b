"""The planner: asks the model until its reply is a plan, at most three times."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.errors import ModelRefused
from shared.models.plan import Task
from shared.models.prompt import ModelReply, Prompt, PromptTurn, Role
from shared.models.usage import ModelCall
from shared.planning.reply import ParsedReply, ReplyProblem, parse_reply
from shared.planning.schema import plan_schema
from shared.ports import Model

#: how often a reply that can't be used goes back to the model with the reason
MOST_CORRECTIONS = 2

CUT_SHORT = "Your reply was cut off before its end. Answer again with a shorter plan."


@dataclass(frozen=True, kw_only=True)
class Drafted:
    """What came of asking the model: its tasks, or none with `failure` saying why there are none."""

    tasks: tuple[Task, ...] = ()
    notes: tuple[str, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    failure: str = ""


async def draft_plan(model: Model, prompt: Prompt, kinds: Sequence[str]) -> Drafted:
    """The tasks that the model wants done. Raises ModelUnavailable.

    A reply that can't be used goes back with what was wrong; so it is one plan, or an honest failure.
    """
    schema = plan_schema(kinds)
    calls: list[ModelCall] = []
    problem = ""
    for _ in range(1 + MOST_CORRECTIONS):
        try:
            reply = await model.generate(prompt, schema)
        except ModelRefused as refusal:
            return Drafted(calls=tuple(calls), failure=str(refusal))
        match _parsed(reply, kinds):
            case ParsedReply(tasks=tasks, notes=notes):
                return Drafted(tasks=tasks, notes=notes, calls=(*calls, reply.call))
            case ReplyProblem(hint=problem):
                calls.append(reply.call.model_copy(update={"problem": problem}))
                prompt = prompt.with_turns(*_correction(reply, problem))
    return Drafted(calls=tuple(calls), failure=f"the model gave no usable plan: {problem}")


def _parsed(reply: ModelReply, kinds: Sequence[str]) -> ParsedReply | ReplyProblem:
    return parse_reply(reply.text, kinds) if reply.is_complete else ReplyProblem(hint=CUT_SHORT)


def _correction(reply: ModelReply, problem: str) -> tuple[PromptTurn, PromptTurn]:
    return (
        PromptTurn(role=Role.MODEL, parts=(reply.text or "(nothing)",)),
        PromptTurn(role=Role.USER, parts=(f"{problem}\n[RESPOND]",)),
    )
