"""Judging: what the rules cannot tell is left to a small model, if the agent's settings allow."""

from dataclasses import dataclass, replace

from shared.deciding.judge import Judgement, judge
from shared.deciding.rules import Circumstances
from shared.flows.batch import Batch
from shared.models.decision import Tier
from shared.models.message import Message
from shared.models.usage import ModelCall
from shared.ports import Model


@dataclass(frozen=True, kw_only=True)
class Judging:
    """The judge's model, and how long it may take."""

    model: Model
    timeout_s: float


async def judged(judging: Judging, batch: Batch, given: Circumstances) -> tuple[Batch, tuple[ModelCall, ...]]:
    """The batch with the newest of its unclear messages judged, and what that took; one call at most.

    A batch that is answered anyway needs no judge.
    """
    unclear = [e for e in batch.entries if isinstance(e, Message) and _is_unclear(e)]
    if batch.targets or not unclear:
        return batch, ()
    found = await judge(judging.model, unclear[-1], given, judging.timeout_s)
    return _with(batch, unclear[-1], found), (found.call,) if found.call is not None else ()


def _is_unclear(message: Message) -> bool:
    return message.decision is not None and message.decision.tier is Tier.JUDGE


def _with(batch: Batch, message: Message, found: Judgement) -> Batch:
    decided = message.model_copy(update={"decision": found.decision})
    return replace(batch, entries=tuple(decided if e is message else e for e in batch.entries))
