"""Messages that call for an answer only now: they were edited before it left, or their album grew."""

from collections.abc import Sequence

from shared.deciding.circumstances import Circumstances
from shared.deciding.rules import decide_in
from shared.models.decision import Decision, Tier
from shared.models.message import AnyEntry, Described, Edit, Message
from shared.models.text import starts_with_command
from shared.turn.situation import Situation


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
    return tuple(found.values())


def noted(entry: AnyEntry, called: tuple[Message, ...]) -> AnyEntry:
    """The entry; an edit that has its message answered says so, for the next one to know."""
    if not isinstance(entry, Edit) or entry.message_id not in {m.message_id for m in called}:
        return entry
    decision = Decision(respond=True, reason="edited before it was answered", tier=Tier.EXPLICIT)
    return entry.model_copy(update={"decision": decision})


def as_edited(message: Message, edit: Edit | None) -> Message:
    """The message with the text of an edit, if there is one."""
    return message if edit is None else message.model_copy(update={"text": edit.text, "entities": edit.entities})


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
