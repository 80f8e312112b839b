"""The graph of a plan's tasks: which one is next, and what a result does to the rest. Values in, values out."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from ulid import ULID

from shared.base.logs import current_trace
from shared.tasks.plan import Plan, PlannedTask, TaskOrigin, TaskState
from shared.tasks.task import Task
from shared.values.evolve import evolve
from shared.values.reminder import OccurrenceState, Reminder


def planned(tasks: Sequence[Task]) -> tuple[PlannedTask, ...]:
    """Tasks at the start of their lives, named for their places: ids are logged, and a model's may be of any words."""
    names = {task.id: str(place) for place, task in enumerate(tasks, start=1)}
    return tuple(PlannedTask(task=_renamed(task, names)) for task in tasks)


def _renamed(task: Task, names: Mapping[str, str]) -> Task:
    depends_on = tuple(names[earlier] for earlier in task.depends_on)
    return evolve(task, id=names[task.id], depends_on=depends_on)


def next_task(plan: Plan, now: datetime) -> PlannedTask | None:
    """The first open task whose dependencies are settled and whose time has come."""
    return next((t for t in _ready(plan) if t.not_before is None or t.not_before <= now), None)


def next_due_at(plan: Plan) -> datetime | None:
    """When the next open task may go on; none when nothing is open."""
    times = [t.not_before for t in _ready(plan)]
    if not times:
        return None
    return min((t for t in times if t is not None), default=None) if None not in times else plan.created_at


def _ready(plan: Plan) -> list[PlannedTask]:
    # not by what is settled: what lull itself did leaves the plan when it is done, and what waits for it stays
    unsettled = {t.task.id for t in plan.tasks if t.is_open}
    ready = [t for t in plan.tasks if t.is_open and unsettled.isdisjoint(t.task.depends_on)]
    # what lull itself says stays in its order when some of it has to wait: else an older choice would be shown last
    later = [t for t in ready if t.is_own and t.task.traits.keeps_order][1:]
    return [t for t in ready if t not in later]


def with_task(plan: Plan, changed: PlannedTask) -> Plan:
    """The plan with one task in its new state."""
    return evolve(plan, tasks=tuple(changed if t.task.id == changed.task.id else t for t in plan.tasks))


def waited(planned_task: PlannedTask, now: datetime) -> PlannedTask:
    """A task that elapses begins when it is reached, and is done when its pause is over."""
    pause = planned_task.task.pause()
    if planned_task.not_before is None and pause > timedelta():
        return evolve(planned_task, not_before=now + pause)
    return evolve(planned_task, state=TaskState.DONE)


def with_failure(plan: Plan, task_id: str, why: str) -> Plan:
    """A task failed: what depends on it is cancelled, unless it fails alone."""
    failed = next(t for t in plan.tasks if t.task.id == task_id)
    plan = with_task(plan, evolve(failed, state=TaskState.FAILED, why=why))
    if failed.task.traits.on_failure.is_alone:
        return plan
    dead = {task_id}
    for t in plan.tasks:  # dependencies stand before what depends on them
        if t.is_open and dead.intersection(t.task.depends_on):
            dead.add(t.task.id)
            plan = with_task(plan, _cancelled(t, f"depends on {task_id}, which failed"))
    return plan


def dropped(plan: Plan, why: str) -> Plan:
    """The plan with all that is still open cancelled; what was sent stays as it is."""
    return evolve(plan, tasks=tuple(_cancelled(t, why) if t.is_open else t for t in plan.tasks))


def stopped(plan: Plan, why: str, spared: Collection[str] = ()) -> Plan:
    """The plan with all cancelled that is open of what the model planned; what lull itself has to say goes on.

    So do the tasks whose ids are `spared`.
    """
    ends = {t.task.id for t in plan.tasks if t.is_open and not t.is_own}.difference(spared)
    tasks = (_cancelled(t, why) if t.task.id in ends else t for t in plan.tasks)
    return evolve(plan, tasks=tuple(tasks))


def replaced(plan: Plan, by: str, kept: Collection[str] = ()) -> Plan:
    """The plan as it is kept when another takes its place: what was unsent is cancelled, and says by which plan.

    What goes on there is left out: what lull itself has to say, and the tasks whose ids are `kept`.
    """
    goes_on = {t.task.id for t in open_own_tasks(plan)}.union(kept)
    rest = evolve(plan, replaced_by=by, tasks=tuple(t for t in plan.tasks if t.task.id not in goes_on))
    return dropped(rest, f"replaced by plan {by}")


def open_own_tasks(plan: Plan | None) -> tuple[PlannedTask, ...]:
    """The tasks that go on whatever is planned next: what lull itself has to say."""
    return tuple(t for t in plan.tasks if t.is_open and t.is_own) if plan is not None else ()


def with_own_tasks(plan: Plan | None, own: Sequence[PlannedTask], now: datetime) -> Plan:
    """The plan with what lull itself says before all else; the rest of it goes on.

    What lull has said in it is over and left out: in a plan that stands for weeks it would grow too large to be stored.
    """
    if plan is None:
        return Plan(id=str(ULID()), created_at=now, tasks=tuple(own), trace=current_trace())
    rest = (t for t in plan.tasks if not t.is_own)
    return evolve(plan, tasks=(*open_own_tasks(plan), *own, *rest))


def put_off(plan: Plan, task_id: str, until: datetime) -> Plan:
    """The plan with one task not before a moment; it costs no try."""
    found = next(t for t in plan.tasks if t.task.id == task_id)
    return with_task(plan, evolve(found, not_before=until))


def _cancelled(planned_task: PlannedTask, why: str) -> PlannedTask:
    return evolve(planned_task, state=TaskState.CANCELLED, why=why)


def origin_of(plan: Plan, planned: PlannedTask) -> TaskOrigin:
    """The plan that a task was first of: an earlier one, or this."""
    here = TaskOrigin(plan=plan.id, task=planned.task.id, answers=plan.answers, thread=plan.thread)
    return planned.kept_from or here


def in_thread(plan: Plan, planned: PlannedTask, thread: int) -> Plan:
    """The plan with all that is of the same plan as a task sent to another thread; 0: to none."""
    if planned.kept_from is None:
        return evolve(plan, thread=thread)
    kept_from = evolve(planned.kept_from, thread=thread)
    return with_task(plan, evolve(planned, kept_from=kept_from))


def without_cancelled(plan: Plan | None, kept: Iterable[Reminder]) -> Plan | None:
    """The plan without what was to be said of the reminders among these that are cancelled."""
    gone = {one.id for one in kept if one.last is not None and one.last.state is OccurrenceState.CANCELLED}
    for planned in plan.tasks if plan is not None else ():
        said = planned.task.reminder_ref
        if plan is not None and planned.is_open and said is not None and said.id in gone:
            plan = with_task(plan, evolve(planned, state=TaskState.CANCELLED, why="cancelled"))
    return plan
