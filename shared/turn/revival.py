"""Earlier messages that needed no answer when they arrived, or could not get one, and that need an answer now.

Either they were edited, or their album grew, or their author was admitted, or they waited for descriptions of files.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from shared.base.text import starts_with_command
from shared.deciding.circumstances import DecisionContext
from shared.deciding.rules import decide_in, refusal
from shared.turn.hearing import decide_now, is_complete, unheard_entries
from shared.turn.situation import ChatSituation
from shared.values.access_request import ADMITTED
from shared.values.decision import Decision, DecisionTier
from shared.values.described import descriptions_in, with_descriptions
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Edit, Event, MediaDescribed, Message

#: the maximum number of messages that are answered after an admission, all by one plan
MOST_ADMITTED: Final = 10


def revived_messages(
    entries: Sequence[AnyEntry], albums: dict[str, Message], given: DecisionContext, situation: ChatSituation
) -> tuple[Message, ...]:
    """Return earlier messages that need an answer in their current form, after an edit or as part of a grown album."""
    known = {e.message_id: e for e in situation.window if isinstance(e, Message)}
    found: dict[int, Message] = {}
    for entry in entries:
        before = known.get(entry.message_id) if isinstance(entry, Edit) else None
        # if a part arrives late or is edited, its whole album has changed
        part = before or entry
        head = albums.get(part.album_id) if isinstance(part, Message) and part.album_id else None
        if head is not None and head is not before:
            if head.message_id in situation.unanswered_ids:
                found[head.message_id] = head
        elif isinstance(entry, Edit) and before is not None:
            now = as_edited(before, entry)
            if _calls_now(now, before, given, situation):
                found[now.message_id] = now
    return tuple(one for one in found.values() if not refusal(one, given))


def is_admission(entry: AnyEntry) -> bool:
    """Return whether the entry says that the owner admitted the chat, so that its waiting messages are answered."""
    return isinstance(entry, Event) and entry.kind == ADMITTED


def admitted_messages(
    entries: Sequence[AnyEntry], given: DecisionContext, situation: ChatSituation
) -> tuple[Message, ...]:
    """Return the newest of the waiting messages that are answered now because the owner admitted their author."""
    if not any(map(is_admission, entries)):
        return ()
    before = next((e.seq for e in reversed(situation.window) if is_admission(e)), 0)
    waiting = [e for e in situation.window if e.seq > before and isinstance(e, Message) and _was_refused(e)]
    edits = {e.message_id: e for e in situation.window if isinstance(e, Edit)}
    called = (as_edited(one, edits.get(one.message_id)) for one in waiting if not starts_with_command(one.entities))
    decided = [(one, decide_now(one, given)) for one in called]
    return tuple(evolve(one, decision=made) for one, made in decided if made.respond)[-MOST_ADMITTED:]


def _was_refused(message: Message) -> bool:
    return message.decision is not None and message.decision.tier is DecisionTier.ACCESS


def mark_answered_edit(entry: AnyEntry, called: tuple[Message, ...]) -> AnyEntry:
    """Return the entry. If it is an edit that causes an answer to its message, store this decision in the entry, so
    that a later edit does not cause another answer.
    """
    if not isinstance(entry, Edit) or entry.message_id not in {m.message_id for m in called}:
        return entry
    decision = Decision(respond=True, reason="edited before it was answered", tier=DecisionTier.EXPLICIT)
    return evolve(entry, decision=decision)


def as_edited(message: Message, edit: Edit | None) -> Message:
    """Return the message with the text of an edit; unchanged if `edit` is None."""
    return message if edit is None else evolve(message, text=edit.text, entities=edit.entities)


def _calls_now(now: Message, before: Message, given: DecisionContext, situation: ChatSituation) -> bool:
    """Return whether an edited message needs an answer.

    It does if its planned answer is not sent yet. It also does if the message was not answered before and the edit is
    the first to name the agent. A command never runs again, and nothing is answered twice.
    """
    if starts_with_command(before.entities) or starts_with_command(now.entities):
        return False
    if now.message_id in situation.unanswered_ids:
        return True
    edits = (e for e in situation.window if isinstance(e, Edit) and e.message_id == now.message_id)
    heard = (e for e in situation.window if isinstance(e, MediaDescribed) and now.message_id in e.message_ids)
    decisions = [before.decision, *(e.decision for e in edits), *(e.decision for e in heard)]
    was_passed_over = not any(decision is not None and decision.respond for decision in decisions)
    return was_passed_over and decide_in(now, given).tier is DecisionTier.EXPLICIT


#: the time after which a waiting message is no longer answered, in a conversation that was resumed
STALE: Final = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class ResolvedWaits:
    """Descriptions of files, with decisions on the messages that waited for them; and the messages to answer now."""

    told: tuple[MediaDescribed, ...] = ()
    called: tuple[Message, ...] = ()


def resolve_waits(entries: Sequence[AnyEntry], given: DecisionContext, situation: ChatSituation) -> ResolvedWaits:
    """Decide on the waiting messages whose descriptions are in the batch, or whose wait has ended."""
    told = [entry for entry in entries if isinstance(entry, MediaDescribed)]
    known, called = descriptions_in(told), list[Message]()
    decisions, missing = dict[int, Decision](), list[MediaDescribed]()
    for waiting in situation.files.waiting:
        message = with_descriptions(waiting, known)
        if not (is_complete(message, situation.files.describing) or is_over(message, situation)):
            continue
        decision = _decision(message, given, situation)
        of_it = [one for one in told if message.message_id in one.message_ids]
        decisions[message.message_id] = decision
        if not of_it or not is_complete(message, situation.files.describing):
            missing += _unheard_entries(message, decision, situation)
        if decision.respond:
            updates = tuple(i for one in of_it for i in one.updates)
            called.append(evolve(message, decision=decision, updates=updates))
    return ResolvedWaits(
        told=(*(part for one in told for part in _by_message(one, decisions)), *missing), called=tuple(called)
    )


def _by_message(entry: MediaDescribed, decisions: Mapping[int, Decision]) -> Iterator[MediaDescribed]:
    """Split an entry, since a decision applies to one message: each message with a decision gets its own entry."""
    decided = [one for one in entry.message_ids if one in decisions]
    rest = tuple(one for one in entry.message_ids if one not in decisions)
    parts = [*([evolve(entry, message_ids=rest)] if rest or not decided else [])]
    parts += [evolve(entry, message_ids=(one,), decision=decisions[one]) for one in decided]
    # only one part has the update, so that the update is noted as read once
    yield parts[0]
    yield from (evolve(part, updates=()) for part in parts[1:])


def _decision(message: Message, given: DecisionContext, situation: ChatSituation) -> Decision:
    """Return the decision on a message whose wait has ended. The judge is not asked any more."""
    until = message.decision.until if message.decision is not None else None
    if until is not None and situation.now is not None and situation.now - until > STALE:
        return Decision(respond=False, reason="nobody came back to it for a day", tier=DecisionTier.NONE)
    decision = decide_now(message, given)
    return evolve(decision, tier=DecisionTier.NONE) if decision.tier is DecisionTier.JUDGE else decision


def is_over(message: Message, situation: ChatSituation) -> bool:
    """Return whether a message has waited long enough."""
    until = message.decision.until if message.decision is not None else None
    return until is None or (situation.now is not None and until <= situation.now)


def _unheard_entries(message: Message, decision: Decision, situation: ChatSituation) -> Iterable[MediaDescribed]:
    if situation.now is None:
        return ()
    told = unheard_entries(message, situation.now, decision)
    return (evolve(one, is_with_message=situation.is_unseen(one)) for one in told)
