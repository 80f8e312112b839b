"""Options of planning: the format of a plan, the tools, the retry budgets, and the review."""

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

#: the finish reason of a model that refuses its own calls because the signatures of its thoughts are missing
UNSIGNED: Final = "MISSING_THOUGHT_SIGNATURE"
#: by finish reason, the hint with which the model is asked once more
RETRY_HINTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "RECITATION": "Your reply was stopped, since it repeated a known text word for word. Answer in your own words.",
        "LANGUAGE": "Your reply was stopped for its language. Answer in the language of the question, or in English.",
        UNSIGNED: "Your reply was stopped. Call no function now. Answer in your own words.",
    }
)
#: a function that reviews a plan. It returns the plan, changed or not; or, if the flag allows sending the plan back,
#: the problem to report to the model
ReviewPlan: TypeAlias = Callable[[ParsedReply, bool], ParsedReply | ReplyProblem]
#: a function that answers tool calls in order; the flag says whether the model has already seen untrusted text
AnswerCalls: TypeAlias = Callable[[Sequence[ToolCall], bool], Awaitable[Sequence[ToolAnswer]]]


async def answer_no_calls(calls: Sequence[ToolCall], saw_outside: bool) -> Sequence[ToolAnswer]:
    """Return no answers. This is the default, for requests that declare no tools."""
    return ()


@dataclass(frozen=True, kw_only=True)
class PlanningOptions:
    """Options of planning besides the prompt.

    `on_text` receives the text of each reply while it is written, always from the reply's start; if the model must
    correct its reply, the next text is the start of the new reply. `review` may change every plan, but may send only
    the first one back. Only `reply` and `tools` of `budgets` are used, and there is no pause before a retry. `headroom`
    limits the length of the exchange with the model; without it, there is no limit.
    """

    clock: Callable[[], datetime]
    codec: Codec = Codec.JSON
    #: the tools that the model may call, and below, the function that answers the calls
    tools: Sequence[ToolDeclaration] = ()
    answers_to: AnswerCalls = answer_no_calls
    budgets: RetryBudgets = field(default=RetryBudgets())
    on_text: Callable[[str], None] | None = None
    review: ReviewPlan | None = None
    headroom: Headroom | None = None
    #: whether the prompt has the ids of messages, so that a task may use them
    names_messages: bool = True
