"""The planner: asks the model until its reply is a plan, and runs the tools that it calls meanwhile.

Nothing here is sent to anybody. The result is a plan, or the reason why there is none. From the moment that the model
has seen text from outside, in the prompt or in a tool's answer, what of its plan reaches further than the chat waits
for a tap, and it may call fewer tools.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.base.errors import ModelRefused, ModelTrouble
from shared.base.model_call import ModelCall
from shared.llm.ports.world import Model
from shared.planning.exchange import Exchange
from shared.planning.format.reply import ParsedReply
from shared.planning.format.schema import plan_schema
from shared.planning.options import PlanningOptions
from shared.tasks.task import Task
from shared.values.agent import Codec
from shared.values.origin import Elsewhere
from shared.values.prompt import Prompt
from shared.values.tool_use import ToolUse


@dataclass(frozen=True, kw_only=True)
class PlanResult:
    """The tasks that the model planned; or none, and in `failure` the reason."""

    tasks: tuple[Task, ...] = ()
    notes: tuple[str, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    #: what it asked of tools meanwhile
    uses: tuple[ToolUse, ...] = ()
    failure: str = ""
    #: why there is none, if it is the model's refusal
    trouble: ModelTrouble = ModelTrouble.UNKNOWN
    #: whether people saw the first message grow as a draft; then it is sent without showing that somebody types
    was_shown: bool = False
    #: what the model saw from outside, in lull's own words; empty: nothing
    outside: tuple[str, ...] = ()
    #: the files, by unique id, that it was shown before anybody had looked; empty where its plan is marked anyway
    unseen: tuple[str, ...] = ()
    #: of the addresses in the tasks' words those that somebody wrote, or that a tool found
    known_links: tuple[str, ...] = ()
    #: what of it waits for a tap because of that, as the model was told
    waiting: tuple[str, ...] = ()
    #: the messages of other conversations that the model saw; and those of them that each task may be made of
    elsewhere: tuple[Elsewhere, ...] = ()
    derived: tuple[tuple[Elsewhere, ...], ...] = ()


async def make_plan(model: Model, prompt: Prompt, kinds: Sequence[str], options: PlanningOptions) -> PlanResult:
    """The tasks that the model plans, of these kinds. Raises ModelUnavailable.

    The model is asked at most as often as the budgets for replies and for rounds of tools allow together.
    """
    exchange = Exchange(options, prompt, kinds)
    while True:
        try:
            reply = exchange.read(await model.generate(exchange.prompt, _schema(exchange), options.on_text))
        except ModelRefused as refusal:
            if exchange.asks_otherwise(refusal) or exchange.leaves_files_out(refusal):
                continue
            calls = (*exchange.calls, *filter(None, [refusal.call]))
            return _failed(exchange, str(refusal), calls, refusal.trouble)
        if exchange.is_round(reply):
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
            return _failed(exchange, failure, exchange.calls)


def _schema(exchange: Exchange) -> dict[str, object] | None:
    if exchange.options.codec is not Codec.JSON:
        return None
    return plan_schema(exchange.kinds, names_messages=exchange.options.names_messages)


def _failed(
    exchange: Exchange, why: str, calls: Sequence[ModelCall], trouble: ModelTrouble = ModelTrouble.UNKNOWN
) -> PlanResult:
    uses, outside = tuple(exchange.uses), tuple(exchange.outside)
    return PlanResult(calls=tuple(calls), uses=uses, outside=outside, failure=why, trouble=trouble)
