"""The record of a tick: why the messages in one page of a transcript were answered or not.

A tick stores its record with the page of its entries, so no further document is written. A record has ids, times, sizes
and states. The only texts in it are lull's notes on a plan, and what tools were asked and found. `/forget` removes a
record whose page it changes, or whose texts are about the forgotten person.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from pydantic import ValidationError

from shared.base.model_call import ModelCall
from shared.tasks.plan import Delivery, Plan, PlannedTask, TaskState
from shared.values.evolve import FrozenModel, evolve
from shared.values.prompt import PromptRecord
from shared.values.tool_use import ToolUse
from shared.values.update import InboxUpdate
from shared.values.wake import Wake

#: the most updates whose times a record has, since a busy group may write hundreds for one tick
MOST_UPDATES: Final = 100


class RecordedUpdate(FrozenModel):
    """An update that the tick read, and the time at which it was stored."""

    id: int
    stored_at: datetime


class RecordedTask(FrozenModel):
    """A task of a plan, without its text, and its progress."""

    id: str
    kind: str
    depends_on: tuple[str, ...] = ()
    state: TaskState = TaskState.PLANNED
    tries: int = 0
    not_before: datetime | None = None
    why: str = ""
    is_own: bool = False
    #: the plan that made the task, if it was kept from an earlier plan
    kept_from: str = ""
    deliveries: tuple[Delivery, ...] = ()


class RecordedPlan(FrozenModel):
    """A plan as it was when the tick wrote its record."""

    id: str
    created_at: datetime
    answers: tuple[int, ...] = ()
    tasks: tuple[RecordedTask, ...] = ()
    notes: tuple[str, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    outside: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    trace: str = ""
    replans: int = 0
    replaced_by: str = ""
    prompt: PromptRecord | None = None


class TickRecord(FrozenModel):
    """The record of one tick: why it ran, its times, the updates that it read, and its plans."""

    #: W3C trace id, by which logs are found
    trace: str = ""
    #: the wake's `WakeReason`, and the time for which the wake was scheduled
    reason: str = ""
    due_at: datetime | None = None
    #: how often in a row no model could be reached before this tick
    model_tries: int = 0
    claimed_at: datetime
    #: when the tick had read and decided, and when it wrote this record
    read_at: datetime | None = None
    written_at: datetime
    updates: tuple[RecordedUpdate, ...] = ()
    plans: tuple[RecordedPlan, ...] = ()

    def with_updates(self, read: Sequence[InboxUpdate], at: datetime) -> TickRecord:
        """Return the record with more updates. `at` is the time at which they were read."""
        known = {one.id: one for one in self.updates}
        known |= {
            one.envelope.update_id: RecordedUpdate(id=one.envelope.update_id, stored_at=one.received_at) for one in read
        }
        return evolve(self, updates=tuple(known.values())[-MOST_UPDATES:], read_at=at)

    def with_plan(self, plan: Plan, at: datetime) -> TickRecord:
        """Return the record with the plan's current state. `at` is the time at which the record is written."""
        others = (one for one in self.plans if one.id != plan.id)
        return evolve(self, plans=(*others, record_plan(plan)), written_at=at)


def record_tick(wake: Wake, trace: str, claimed_at: datetime, at: datetime) -> TickRecord:
    """Return the record of a tick that has read nothing yet."""
    return TickRecord(
        trace=trace,
        reason=wake.reason.value,
        due_at=wake.at,
        model_tries=wake.model_tries,
        claimed_at=claimed_at,
        written_at=at,
    )


def record_plan(plan: Plan) -> RecordedPlan:
    """Return the record of a plan, without the texts of its tasks: texts that were sent are in the transcript."""
    return RecordedPlan(
        id=plan.id,
        created_at=plan.created_at,
        answers=plan.answers,
        tasks=tuple(map(_record_task, plan.tasks)),
        notes=plan.notes,
        calls=plan.calls,
        uses=plan.uses,
        outside=plan.outside,
        waiting=plan.waiting,
        trace=plan.trace,
        replans=plan.replans,
        replaced_by=plan.replaced_by,
        prompt=plan.prompt if plan.calls else None,
    )


def _record_task(planned: PlannedTask) -> RecordedTask:
    return RecordedTask(
        id=planned.task.id,
        kind=planned.task.kind,
        depends_on=planned.task.depends_on,
        state=planned.state,
        tries=planned.tries,
        not_before=planned.not_before,
        why=planned.why,
        is_own=planned.is_own,
        kept_from=planned.kept_from.plan if planned.kept_from is not None else "",
        deliveries=planned.deliveries,
    )


def encode_record(record: TickRecord) -> str:
    """Return the record as one JSON text, without fields that have their defaults."""
    return record.model_dump_json(exclude_defaults=True)


def decode_record(stored: object) -> TickRecord | None:
    """Return the record; None if there is none, or if only another version of lull can read it."""
    if not isinstance(stored, str):
        return None
    try:
        return TickRecord.model_validate_json(stored)
    except ValidationError:
        return None
