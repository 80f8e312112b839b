"""What became known of files: it is told in the transcript, and messages that waited for it are decided on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.deciding.circumstances import Circumstances
from shared.deciding.hearing import as_heard, decided_now, is_complete, unheard
from shared.models.decision import Decision, Tier
from shared.models.described import descriptions_in, with_known
from shared.models.message import AnyEntry, Described, Message
from shared.turn.situation import Situation


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What is told of files, with the decisions on messages that waited; and those that are to be answered now."""

    told: tuple[Described, ...] = ()
    called: tuple[Message, ...] = ()


def heard_by(entries: Sequence[AnyEntry], given: Circumstances, situation: Situation) -> Heard:
    """What a batch tells of files, and what follows for the messages that wait."""
    told = [entry for entry in entries if isinstance(entry, Described)]
    known, called = descriptions_in(told), list[Message]()
    for waiting in situation.waiting:
        message = with_known(waiting, known)
        if not (is_complete(message) or is_over(message, situation)):
            continue
        decision = _final(decided_now(message, given))
        of_it = [n for n, one in enumerate(told) if message.message_id in one.message_ids]
        for n in of_it:
            told[n] = told[n].model_copy(update={"decision": decision})
        if not of_it or not is_complete(message):
            told += _unheard(message, decision, situation)
        if decision.respond:
            updates = tuple(i for n in of_it for i in told[n].updates)
            called.append(as_heard(message).model_copy(update={"decision": decision, "updates": updates}))
    return Heard(told=tuple(told), called=tuple(called))


def is_over(message: Message, situation: Situation) -> bool:
    """Whether a message has waited long enough."""
    until = message.decision.until if message.decision is not None else None
    return until is None or (situation.now is not None and until <= situation.now)


def _final(decision: Decision) -> Decision:
    """The decision, which nobody judges any more."""
    return decision.model_copy(update={"tier": Tier.NONE}) if decision.tier is Tier.JUDGE else decision


def _unheard(message: Message, decision: Decision, situation: Situation) -> Iterable[Described]:
    if situation.now is None:
        return ()
    told = unheard(message, situation.now, decision)
    return (one.model_copy(update={"is_with_message": situation.is_unseen(one)}) for one in told)
