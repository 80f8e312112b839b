"""Replaces a task that cannot be carried out, because of Telegram or a model, with a text task of the same meaning."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from shared.chat.session import Session
from shared.tasks.graph import with_failure, with_task
from shared.tasks.outcome import is_begun, task_of, with_apology, with_fallback_text
from shared.tasks.plan import Plan, TaskState
from shared.values.evolve import evolve
from shared.values.message import Event
from shared.values.outgoing import GeneratedFile

if TYPE_CHECKING:
    from shared.media.stickers import OwnStickers

#: the kind of the transcript event that tells the model that a task was replaced by words
IN_WORDS = "said_in_words"
NOT_FOUND = "there is no such sticker"
NOT_MADE = "no model here makes such files"


async def with_found_sticker(stickers: OwnStickers | None, session: Session, plan: Plan, task_id: str) -> Plan:
    """Return the plan unchanged if the task's sticker is found. Else return the plan with a text instead of the sticker
    or, if no text can replace it, with the task marked as failed.

    Raises StoreUnavailable or StoreRefused.
    """
    planned = task_of(plan, task_id)
    wanted = planned.task.sticker_request
    if wanted is None:
        return plan
    found = await stickers.find(*wanted, anew=planned.is_anew) if stickers is not None else None
    if found is not None:
        return plan
    return with_fallback_text(plan, planned, NOT_FOUND) or with_apology(with_failure(plan, task_id, NOT_FOUND), planned)


def with_made_file(made: GeneratedFile | None, plan: Plan, task_id: str) -> Plan:
    """Return the plan with the task ready to deliver if its file was made. Else return the plan with a text instead of
    the file or, if no text can replace it, with the task marked as failed.
    """
    planned = task_of(plan, task_id)
    if planned.task.file_request is None or is_begun(planned):
        return plan
    if made is not None and not made.problem:
        return with_task(plan, evolve(planned, task=planned.task.with_generated_file(made)))
    why = made.problem if made is not None else NOT_MADE
    return with_fallback_text(plan, planned, why) or with_apology(with_failure(plan, task_id, why), planned)


def rewording_event(before: Plan, after: Plan, task_id: str, now: datetime) -> Event | None:
    """Return the event that tells the model that a task was replaced by words or failed. None if neither happened."""
    old, new = task_of(before, task_id), task_of(after, task_id)
    traits, note = old.task.traits, old.task.unsent(new.why)
    is_said = new.task.kind != old.task.kind
    has_words = old.task.in_words() is not None and not traits.on_failure.is_worded_alone
    is_lost = new.state is TaskState.FAILED and not has_words and not traits.on_failure.is_excused
    if not note or not (is_said or is_lost):
        return None
    return Event(at=now, kind=IN_WORDS, note=note, holds_outside=old.is_marked)
