"""Report tasks with effects beyond the chat, such as blocking a person, to the model and to the waiting people."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from shared.base.wording.verbatim import verbatim, visible
from shared.base.wording.words import SILENCE, Phrase, Words, words_in
from shared.chat.confirming import with_message_after
from shared.chat.session import Session
from shared.memory.wishes import ASKED
from shared.tasks.outcome import task_of
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.values.access_action import ASKED_OWNER, NOT_ALLOWED, NOT_BLOCKED, NOT_OWNERS, AccessActionKind
from shared.values.message import Event, Message

#: the reason for refusing a task that had to be offered as a button, but was not
TOO_FAR: Final = "its plan was made from text from outside, and it reaches beyond the chat"

#: the kind of events that report the result of an effect to the model
EFFECT: Final = "effect"


def reaches_too_far(planned: PlannedTask) -> bool:
    """Return whether a task must be refused: its plan saw untrusted text, and nobody confirmed the task."""
    is_offered = planned.task.reaches_further and not planned.task.traits.asks_owner
    return planned.saw_outside and not planned.is_own and is_offered


async def with_told_effect(session: Session, before: Plan, after: Plan, planned: PlannedTask, now: datetime) -> Plan:
    """Report the result of a task that was done or refused. Return the plan with the message that reports it.

    An event reports the result to the model, and a message reports it to the people who wait.
    """
    found = task_of(after, planned.task.id)
    refused = [] if _was_refused_before(after, found) else [refused_event(found, now)]
    if found.state is TaskState.DONE and found.why not in {"", ASKED_OWNER}:  # people already know the result
        await session.note_entries(refused)
        return after
    if found.is_open or not found.task.reaches_further:
        return after
    words = words_in(after.language, session.chat.locale.last_language)
    if found.state is TaskState.FAILED:
        await session.note_entries(refused)
        return (
            with_message_after(session, after, found, told)
            if (told := _refusal(session, after, found, words))
            else after
        )
    await session.note_entries([Event(at=now, kind=EFFECT, note=note) for note in await _notes(session, found)])
    if not found.is_own or len(after.tasks) > len(before.tasks):  # then somebody already gets a message
        return after
    return with_message_after(
        session, after, found, words.say("confirm.done", what=verbatim(found.task.asked_for(words)))
    )


def _was_refused_before(plan: Plan, found: PlannedTask) -> bool:
    """Return whether another task of the same kind was refused for the same reason, and so was reported already."""
    same = (t for t in plan.tasks if not t.is_open and (t.task.kind, t.why) == (found.task.kind, found.why))
    return any(t.task.id != found.task.id for t in same)


def refused_event(planned: PlannedTask, now: datetime) -> Event:
    """Return the entry that reports to the model that a task of its plan was not done, and why."""
    return Event(at=now, kind=EFFECT, note=f"your `{planned.task.kind}` was not done: {planned.why}")


async def _notes(session: Session, planned: PlannedTask) -> Sequence[str]:
    """Return notes that report to the model the result of an action on a person's access, such as a block."""
    access_action = planned.task.access_action
    if access_action is None:
        return ()
    said = [e.author for e in await session.window() if isinstance(e, Message)]
    names = [author.name for author in said if author.id == access_action.person]
    who = " ".join(filter(None, (visible(names[-1]) if names else "", f"(user_id {access_action.person})")))
    if planned.why == ASKED_OWNER:
        return (f"you did not block {who}: your owner was asked whether to, by a button",)
    told = {
        AccessActionKind.BLOCK: f"you blocked {who}",
        AccessActionKind.UNBLOCK: f"you unblocked {who}",
        AccessActionKind.SHUTDOWN: "you answer nobody until your owner ends that"
        if access_action.is_everywhere
        else "you answer nothing here until somebody ends that",
    }
    return (told[access_action.kind],)


def _refusal(session: Session, plan: Plan, planned: PlannedTask, words: Words) -> Phrase:
    """Return the message that tells people that a task was refused; SILENCE if people need no message.

    The plan's own texts may claim that the task was done. So if somebody pressed the button or still waits, the message
    gives the reason, or at least says that the task was refused.
    """
    access_action = planned.task.access_action
    if planned.why == ASKED:
        return SILENCE
    if planned.why == NOT_OWNERS:
        return words.say("refused.owner")
    if planned.why == NOT_ALLOWED:
        return words.say("refused.administrators")
    if planned.why == NOT_BLOCKED and access_action is not None:
        return words.say("refused.not_blocked", id=access_action.person)
    says = any(t.task.traits.is_seen for t in plan.tasks if t.is_fresh)
    is_waited_for = access_action is not None if says else session.chat.key.is_of_one
    return words.say("refused.other") if is_waited_for or planned.is_own else SILENCE
