"""The graph of a plan's tasks: which task runs next, and how the result of one task changes the others.

Pure functions.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from ulid import ULID

from shared.base.logs import current_trace
from shared.tasks.plan import Plan, PlannedTask, TaskOrigin, TaskState
from shared.tasks.task import Task
from shared.values.evolve import evolve
from shared.values.reminder import OccurrenceState, Reminder


def initial_tasks(tasks: Sequence[Task]) -> tuple[PlannedTask, ...]:
    """Return tasks as a plan stores them before any of them has run.

    Each task gets its position in the plan as its id, since ids are logged, and a model may write any text as an id.
    """
    names = {task.id: str(place) for place, task in enumerate(tasks, start=1)}
    return tuple(PlannedTask(task=_rename(task, names)) for task in tasks)


def _rename(task: Task, names: Mapping[str, str]) -> Task:
    depends_on = tuple(names[earlier] for earlier in task.depends_on)
    return evolve(task, id=names[task.id], depends_on=depends_on)


def next_task(plan: Plan, now: datetime) -> PlannedTask | None:
    """Return the first open task whose dependencies are done and whose time has been reached."""
    return next((t for t in _ready(plan) if t.not_before is None or t.not_before <= now), None)


def next_due_at(plan: Plan) -> datetime | None:
    """Return the time at which the next open task may run; None if no task is open."""
    times = [t.not_before for t in _ready(plan)]
    if not times:
        return None
    return min((t for t in times if t is not None), default=None) if None not in times else plan.created_at


def _ready(plan: Plan) -> list[PlannedTask]:
    # open dependencies are looked for, not finished ones: lull's own tasks leave the plan when done, but the tasks that
    # depend on them stay
    unsettled = {t.task.id for t in plan.tasks if t.is_open}
    ready = [t for t in plan.tasks if t.is_open and unsettled.isdisjoint(t.task.depends_on)]
    # lull's own messages keep their order when one has to wait: otherwise an older choice could be shown after a newer
    # one
    later = [t for t in ready if t.is_own and t.task.traits.keeps_order][1:]
    return [t for t in ready if t not in later]


def with_task(plan: Plan, changed: PlannedTask) -> Plan:
    """Return the plan with `changed` in place of the task with the same id."""
    return evolve(plan, tasks=tuple(changed if t.task.id == changed.task.id else t for t in plan.tasks))


def let_time_pass(planned_task: PlannedTask, now: datetime) -> PlannedTask:
    """Return a waiting task after the plan reached it at `now`. When the task is first reached, its pause begins; when
    it is reached again, after the pause, it is done. Without a pause, it is done at once.
    """
    pause = planned_task.task.pause()
    if planned_task.not_before is None and pause > timedelta():
        return evolve(planned_task, not_before=now + pause)
    return evolve(planned_task, state=TaskState.DONE)


def with_failure(plan: Plan, task_id: str, why: str) -> Plan:
    """Fail a task. Also cancel the tasks that depend on it, unless its kind fails alone (`on_failure.is_alone`)."""
    failed = next(t for t in plan.tasks if t.task.id == task_id)
    plan = with_task(plan, evolve(failed, state=TaskState.FAILED, why=why))
    if failed.task.traits.on_failure.is_alone:
        return plan
    dead = {task_id}
    for t in plan.tasks:  # dependencies come before their dependents
        if t.is_open and dead.intersection(t.task.depends_on):
            dead.add(t.task.id)
            plan = with_task(plan, _cancel(t, f"depends on {task_id}, which failed"))
    return plan


def cancel_all(plan: Plan, why: str) -> Plan:
    """Cancel all open tasks. Messages that were sent are not deleted."""
    return evolve(plan, tasks=tuple(_cancel(t, why) if t.is_open else t for t in plan.tasks))


def cancel_planned(plan: Plan, why: str, spared: Collection[str] = ()) -> Plan:
    """Cancel the open tasks that the model wrote. lull's own tasks and the tasks in `spared` continue."""
    ends = {t.task.id for t in plan.tasks if t.is_open and not t.is_own}.difference(spared)
    tasks = (_cancel(t, why) if t.task.id in ends else t for t in plan.tasks)
    return evolve(plan, tasks=tuple(tasks))


def replace_plan(plan: Plan, by: str, kept: Collection[str] = ()) -> Plan:
    """Return a plan as it is stored when the plan with the id `by` replaces it: its unsent tasks are cancelled.

    Tasks that continue in the new plan are left out: lull's own tasks, and the tasks in `kept`.
    """
    goes_on = {t.task.id for t in open_own_tasks(plan)}.union(kept)
    rest = evolve(plan, replaced_by=by, tasks=tuple(t for t in plan.tasks if t.task.id not in goes_on))
    return cancel_all(rest, f"replaced by plan {by}")


def open_own_tasks(plan: Plan | None) -> tuple[PlannedTask, ...]:
    """Return lull's own open tasks, which no new plan replaces."""
    return tuple(t for t in plan.tasks if t.is_open and t.is_own) if plan is not None else ()


def with_own_tasks(plan: Plan | None, own: Sequence[PlannedTask], now: datetime) -> Plan:
    """Add lull's own tasks at the front of the plan.

    Finished tasks of lull are removed, since a plan that lasts for weeks would grow too large to store.
    """
    if plan is None:
        return Plan(id=str(ULID()), created_at=now, tasks=tuple(own), trace=current_trace())
    rest = (t for t in plan.tasks if not t.is_own)
    return evolve(plan, tasks=(*open_own_tasks(plan), *own, *rest))


def delay_task(plan: Plan, task_id: str, until: datetime) -> Plan:
    """Delay a task until a time. The delay does not count as a try."""
    found = next(t for t in plan.tasks if t.task.id == task_id)
    return with_task(plan, evolve(found, not_before=until))


def _cancel(planned_task: PlannedTask, why: str) -> PlannedTask:
    return evolve(planned_task, state=TaskState.CANCELLED, why=why)


def origin_of(plan: Plan, planned_task: PlannedTask) -> TaskOrigin:
    """Return the origin of a task: an earlier plan if the task was kept from it, else this plan."""
    here = TaskOrigin(plan=plan.id, task=planned_task.task.id, answers=plan.answers, thread=plan.thread)
    return planned_task.kept_from or here


def move_to_thread(plan: Plan, planned_task: PlannedTask, thread: int) -> Plan:
    """Set the message that a task quotes: `Plan.thread` or, for a task of an earlier plan, `kept_from.thread`."""
    if planned_task.kept_from is None:
        return evolve(plan, thread=thread)
    kept_from = evolve(planned_task.kept_from, thread=thread)
    return with_task(plan, evolve(planned_task, kept_from=kept_from))


def without_cancelled(plan: Plan | None, kept: Iterable[Reminder]) -> Plan | None:
    """Cancel the plan's open messages for reminders that were cancelled. `kept`: the reminders as they are stored."""
    gone = {one.id for one in kept if one.last is not None and one.last.state is OccurrenceState.CANCELLED}
    for planned_task in plan.tasks if plan is not None else ():
        said = planned_task.task.reminder_ref
        if plan is not None and planned_task.is_open and said is not None and said.id in gone:
            plan = with_task(plan, evolve(planned_task, state=TaskState.CANCELLED, why="cancelled"))
    return plan
