"""What planning is given besides the prompt: how a plan is written, who answers calls of tools, and who reviews."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Final, TypeAlias

from shared.planning.format.raw_task import ReplyProblem
from shared.planning.format.reply import ParsedReply
from shared.values.agent import Codec
from shared.values.prompt import Headroom, ToolAnswer, ToolCall, ToolDeclaration
from shared.values.retry import RetryBudgets

#: of an answer that ended since calls came back without the signatures of the model's thoughts
UNSIGNED: Final = "MISSING_THOUGHT_SIGNATURE"
#: by the model's word for why its answer ended: how it is asked once more
RETRY_HINTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "RECITATION": "Your reply was stopped, since it repeated a known text word for word. Answer in your own words.",
        "LANGUAGE": "Your reply was stopped for its language. Answer in the language of the question, or in English.",
        UNSIGNED: "Your reply was stopped. Call no function now. Answer in your own words.",
    }
)
#: reviews a plan: returns it, changed or not, or, if the flag allows sending it back, what is wrong with it
ReviewPlan: TypeAlias = Callable[[ParsedReply, bool], ParsedReply | ReplyProblem]
#: answers a model's calls of tools, each in its place; the flag: whether text from outside was seen before
AnswerCalls: TypeAlias = Callable[[Sequence[ToolCall], bool], Awaitable[Sequence[ToolAnswer]]]


async def answer_no_calls(calls: Sequence[ToolCall], saw_outside: bool) -> Sequence[ToolAnswer]:
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
    answers_to: AnswerCalls = answer_no_calls
    budgets: RetryBudgets = field(default=RetryBudgets())
    on_text: Callable[[str], None] | None = None
    review: ReviewPlan | None = None
    headroom: Headroom | None = None
    #: whether the prompt names messages by their ids, so that a task may
    names_messages: bool = True
