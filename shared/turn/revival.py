"""Messages that call for an answer only now: they were edited, their album grew, or who wrote them was let in."""

from collections.abc import Sequence
from typing import Final

from shared.base.text import starts_with_command
from shared.deciding.circumstances import Circumstances
from shared.deciding.rules import decide_in, refusal
from shared.turn.hearing import decided_now
from shared.turn.situation import Situation
from shared.values.access import ADMITTED
from shared.values.decision import Decision, Tier
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Described, Edit, Event, Message

#: messages that waited for the owner and are answered at once: one plan answers them
MOST_ADMITTED: Final = 10


def revived(
    entries: Sequence[AnyEntry], albums: dict[str, Message], given: Circumstances, situation: Situation
) -> tuple[Message, ...]:
    """Messages of the window that are to be answered as they are now."""
    known = {e.message_id: e for e in situation.window if isinstance(e, Message)}
    found: dict[int, Message] = {}
    for entry in entries:
        before = known.get(entry.message_id) if isinstance(entry, Edit) else None
        # a part that comes late, or is edited, changes the album that it is of
        part = before or entry
        head = albums.get(part.album_id) if isinstance(part, Message) and part.album_id else None
        if head is not None and head is not before:
            if head.message_id in situation.unanswered:
                found[head.message_id] = head
        elif isinstance(entry, Edit) and before is not None:
            now = as_edited(before, entry)
            if _calls_now(now, before, given, situation):
                found[now.message_id] = now
    return tuple(one for one in found.values() if not refusal(one, given))


def is_admission(entry: AnyEntry) -> bool:
    """Whether it tells that the owner has decided to have what waits in the chat answered."""
    return isinstance(entry, Event) and entry.kind == ADMITTED


def admitted(entries: Sequence[AnyEntry], given: Circumstances, situation: Situation) -> tuple[Message, ...]:
    """The messages that are answered because the owner lets in who wrote them: the newest of those that wait."""
    if not any(map(is_admission, entries)):
        return ()
    before = next((e.seq for e in reversed(situation.window) if is_admission(e)), 0)
    waiting = [e for e in situation.window if e.seq > before and isinstance(e, Message) and _was_refused(e)]
    edits = {e.message_id: e for e in situation.window if isinstance(e, Edit)}
    called = (as_edited(one, edits.get(one.message_id)) for one in waiting if not starts_with_command(one.entities))
    decided = [(one, decided_now(one, given)) for one in called]
    return tuple(evolve(one, decision=made) for one, made in decided if made.respond)[-MOST_ADMITTED:]


def _was_refused(message: Message) -> bool:
    return message.decision is not None and message.decision.tier is Tier.ACCESS


def noted(entry: AnyEntry, called: tuple[Message, ...]) -> AnyEntry:
    """The entry; an edit that has its message answered says so, for the next one to know."""
    if not isinstance(entry, Edit) or entry.message_id not in {m.message_id for m in called}:
        return entry
    decision = Decision(respond=True, reason="edited before it was answered", tier=Tier.EXPLICIT)
    return evolve(entry, decision=decision)


def as_edited(message: Message, edit: Edit | None) -> Message:
    """The message with the text of an edit, if there is one."""
    return message if edit is None else evolve(message, text=edit.text, entities=edit.entities)


def _calls_now(now: Message, before: Message, given: Circumstances, situation: Situation) -> bool:
    """Whether an edited message is to be answered: its answer has not left, or only now it names the agent.

    A command is never run again, nor is anything answered twice.
    """
    if starts_with_command(before.entities) or starts_with_command(now.entities):
        return False
    if now.message_id in situation.unanswered:
        return True
    edits = (e for e in situation.window if isinstance(e, Edit) and e.message_id == now.message_id)
    heard = (e for e in situation.window if isinstance(e, Described) and now.message_id in e.message_ids)
    decisions = [before.decision, *(e.decision for e in edits), *(e.decision for e in heard)]
    was_passed_over = not any(decision is not None and decision.respond for decision in decisions)
    return was_passed_over and decide_in(now, given).tier is Tier.EXPLICIT
