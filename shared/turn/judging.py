"""Judging: what the rules cannot tell is left to a small model, if the agent's settings allow."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from shared.deciding.judge import judge
from shared.models.decision import Decision, Tier
from shared.models.message import AnyEntry, Message
from shared.ports.outside import Model
from shared.turn.batch import Batch, Situation, circumstances_of, stopped, with_unanswered


@dataclass(frozen=True, kw_only=True)
class Judging:
    """The judge's model, and how long it may take."""

    model: Model
    timeout_s: float


async def judged(judging: Judging, batch: Batch, situation: Situation) -> Batch:
    """The batch with the newest of its unclear messages judged, by one call at most.

    A batch that is answered anyway needs no judge, nor does one that is not to be answered by the model at all.
    """
    unclear = judgements_in(batch)
    if batch.targets or batch.commands or batch.was_removed or not unclear:
        return with_judgements(batch, {}, situation)
    message = [e for e in batch.entries if isinstance(e, Message) and e.message_id in unclear][-1]
    given = circumstances_of(batch.kind, batch.entries, situation)
    decision = await judge(judging.model, message, given, judging.timeout_s)
    return with_judgements(batch, {message.message_id: decision}, situation)


def with_judgements(batch: Batch, judgements: Mapping[int, Decision], situation: Situation) -> Batch:
    """The batch with what a judge decided, by message id, where the rules cannot tell; what it never saw is not its."""

    def settled(entry: AnyEntry) -> AnyEntry:
        if not isinstance(entry, Message) or entry.decision is None or entry.decision.tier is not Tier.JUDGE:
            return entry
        unseen = entry.decision.model_copy(update={"tier": Tier.NONE})
        return entry.model_copy(update={"decision": judgements.get(entry.message_id, unseen)})

    found = replace(batch, entries=tuple(map(settled, batch.entries)))
    return stopped(found) if found.is_stopped else with_unanswered(found, situation)


def judgements_in(batch: Batch) -> dict[int, Decision]:
    """By message id, the decisions in a batch that are a judge's to make."""
    decided = ((e.message_id, e.decision) for e in batch.entries if isinstance(e, Message))
    return {i: decision for i, decision in decided if decision is not None and decision.tier is Tier.JUDGE}
