"""What became known of files: it is told in the transcript, and messages that waited for it are decided on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from shared.deciding.circumstances import Circumstances
from shared.turn.hearing import decided_now, is_complete, unheard
from shared.turn.situation import Situation
from shared.values.decision import Decision, Tier
from shared.values.described import descriptions_in, with_known
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Described, Message

#: what waited in a conversation that is taken up again after so long is not answered any more
STALE: Final = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What is told of files, with the decisions on messages that waited; and those that are to be answered now."""

    told: tuple[Described, ...] = ()
    called: tuple[Message, ...] = ()


def heard_by(entries: Sequence[AnyEntry], given: Circumstances, situation: Situation) -> Heard:
    """What a batch tells of files, and what follows for the messages that wait."""
    told = [entry for entry in entries if isinstance(entry, Described)]
    known, called = descriptions_in(told), list[Message]()
    decisions, missing = dict[int, Decision](), list[Described]()
    for waiting in situation.waiting:
        message = with_known(waiting, known)
        if not (is_complete(message, situation.describing) or is_over(message, situation)):
            continue
        decision = _decision(message, given, situation)
        of_it = [one for one in told if message.message_id in one.message_ids]
        decisions[message.message_id] = decision
        if not of_it or not is_complete(message, situation.describing):
            missing += _unheard(message, decision, situation)
        if decision.respond:
            updates = tuple(i for one in of_it for i in one.updates)
            called.append(evolve(message, decision=decision, updates=updates))
    return Heard(told=(*(part for one in told for part in _by_message(one, decisions)), *missing), called=tuple(called))


def _by_message(entry: Described, decisions: Mapping[int, Decision]) -> Iterator[Described]:
    """An entry, in parts where messages that it tells of were decided on: a decision is on one message."""
    decided = [one for one in entry.message_ids if one in decisions]
    rest = tuple(one for one in entry.message_ids if one not in decisions)
    parts = [*([evolve(entry, message_ids=rest)] if rest or not decided else [])]
    parts += [evolve(entry, message_ids=(one,), decision=decisions[one]) for one in decided]
    # the update is read once
    yield parts[0]
    yield from (evolve(part, updates=()) for part in parts[1:])


def _decision(message: Message, given: Circumstances, situation: Situation) -> Decision:
    """The decision on a message that waits no more, which nobody judges any more."""
    until = message.decision.until if message.decision is not None else None
    if until is not None and situation.now is not None and situation.now - until > STALE:
        return Decision(respond=False, reason="nobody came back to it for a day", tier=Tier.NONE)
    decision = decided_now(message, given)
    return evolve(decision, tier=Tier.NONE) if decision.tier is Tier.JUDGE else decision


def is_over(message: Message, situation: Situation) -> bool:
    """Whether a message has waited long enough."""
    until = message.decision.until if message.decision is not None else None
    return until is None or (situation.now is not None and until <= situation.now)


def _unheard(message: Message, decision: Decision, situation: Situation) -> Iterable[Described]:
    if situation.now is None:
        return ()
    told = unheard(message, situation.now, decision)
    return (evolve(one, is_with_message=situation.is_unseen(one)) for one in told)
