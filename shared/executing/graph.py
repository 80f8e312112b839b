"""The graph: which task is next, what a result does to the rest, and what of it outlasts a new plan.

Promises are what a plan says after a wait: a new plan does not take them with it, unless it says so. Values in, values
out.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from shared.models.message import EXCERPT_CHARACTERS, Event, Later
from shared.tasks.plan import Origin, Plan, PlannedTask, TaskState
from shared.tasks.task import Task

#: up to here a pause is the pace of what is being said, which whoever writes on may change; to be told something later
#: than in a minute is a reminder, and people count on it
MUCH_LATER = timedelta(minutes=1)
#: what a plan keeps of earlier ones: what was promised first stays. A plan is one document, of 1 MiB at most
#: (firebase.google.com/docs/firestore/quotas), and a new plan may have 50 tasks of its own
MOST_KEPT_TASKS = 100
MOST_KEPT_BYTES = 300_000

#: the ids of kept tasks; the model's own are numbers
_KEPT = re.compile(r"k(\d+)")

#: the kind of the events that say that a promise is gone
GONE = "promise_gone"


def planned(tasks: Sequence[Task]) -> tuple[PlannedTask, ...]:
    """Tasks at the start of their lives, named for their places: ids are logged, and a model's may be of any words."""
    names = {task.id: str(place) for place, task in enumerate(tasks, start=1)}
    return tuple(PlannedTask(task=_renamed(task, names)) for task in tasks)


def _renamed(task: Task, names: Mapping[str, str]) -> Task:
    depends_on = tuple(names[earlier] for earlier in task.depends_on)
    return task.model_copy(update={"id": names[task.id], "depends_on": depends_on})


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
    settled = {t.task.id for t in plan.tasks if not t.is_open}
    ready = [t for t in plan.tasks if t.is_open and settled.issuperset(t.task.depends_on)]
    # what lull itself says stays in its order when some of it has to wait: else an older choice would be shown last
    later = [t for t in ready if t.is_own and t.task.traits.keeps_order][1:]
    return [t for t in ready if t not in later]


def with_task(plan: Plan, changed: PlannedTask) -> Plan:
    """The plan with one task in its new state."""
    return plan.model_copy(update={"tasks": tuple(changed if t.task.id == changed.task.id else t for t in plan.tasks)})


def waited(planned_task: PlannedTask, now: datetime) -> PlannedTask:
    """A task that elapses begins when it is reached, and is done when its pause is over."""
    pause = planned_task.task.pause()
    if planned_task.not_before is None and pause > timedelta():
        return planned_task.model_copy(update={"not_before": now + pause})
    return planned_task.model_copy(update={"state": TaskState.DONE})


def with_failure(plan: Plan, task_id: str, why: str) -> Plan:
    """A task failed: what depends on it is cancelled, unless it fails alone."""
    failed = next(t for t in plan.tasks if t.task.id == task_id)
    plan = with_task(plan, failed.model_copy(update={"state": TaskState.FAILED, "why": why}))
    if failed.task.traits.fails_alone:
        return plan
    dead = {task_id}
    for t in plan.tasks:  # dependencies stand before what depends on them
        if t.is_open and dead.intersection(t.task.depends_on):
            dead.add(t.task.id)
            plan = with_task(plan, _cancelled(t, f"depends on {task_id}, which failed"))
    return plan


def dropped(plan: Plan, why: str) -> Plan:
    """The plan with all that is still open cancelled; what was sent stays as it is."""
    return plan.model_copy(update={"tasks": tuple(_cancelled(t, why) if t.is_open else t for t in plan.tasks)})


def stopped(plan: Plan, why: str, spared: Collection[str] = ()) -> Plan:
    """The plan with all cancelled that is open of what the model planned; what lull itself has to say goes on.

    So do the tasks whose ids are `spared`.
    """
    ends = {t.task.id for t in plan.tasks if t.is_open and not t.is_own}.difference(spared)
    tasks = (_cancelled(t, why) if t.task.id in ends else t for t in plan.tasks)
    return plan.model_copy(update={"tasks": tuple(tasks)})


def replaced(plan: Plan, by: str, kept: Collection[str] = ()) -> Plan:
    """The plan as it is kept when another takes its place: what was unsent is cancelled, and says by which plan.

    What goes on there is left out: what lull itself has to say, and the tasks whose ids are `kept`.
    """
    goes_on = {t.task.id for t in open_own_tasks(plan)}.union(kept)
    rest = plan.model_copy(
        update={"replaced_by": by, "tasks": tuple(t for t in plan.tasks if t.task.id not in goes_on)}
    )
    return dropped(rest, f"replaced by plan {by}")


def open_own_tasks(plan: Plan | None) -> tuple[PlannedTask, ...]:
    """The tasks that go on whatever is planned next: what lull itself has to say."""
    return tuple(t for t in plan.tasks if t.is_open and t.is_own) if plan is not None else ()


def put_off(plan: Plan, task_id: str, until: datetime) -> Plan:
    """The plan with one task not before a moment; it costs no try."""
    found = next(t for t in plan.tasks if t.task.id == task_id)
    return with_task(plan, found.model_copy(update={"not_before": until}))


def _cancelled(planned_task: PlannedTask, why: str) -> PlannedTask:
    return planned_task.model_copy(update={"state": TaskState.CANCELLED, "why": why})


def origin_of(plan: Plan, planned: PlannedTask) -> Origin:
    """The plan that a task was first of: an earlier one, or this."""
    here = Origin(
        plan=plan.id, task=planned.task.id, answers=plan.answers, saw_outside=plan.saw_outside, thread=plan.thread
    )
    return planned.kept_from or here


def promises(plan: Plan | None) -> tuple[PlannedTask, ...]:
    """What is open of a plan below its waits, with the waits, if anybody may count on it.

    Where a plan has said nothing and its wait has not begun, nobody was told of it: it is made anew.
    """
    if plan is None:
        return ()
    over = _waits_over(plan)
    return tuple(t for t in plan.tasks if t.is_open and not t.is_own and _is_counted_on(plan, t, over[t.task.id]))


def kept(plan: Plan | None, people: Collection[int]) -> tuple[PlannedTask, ...]:
    """The promises that a new plan, which answers these people, leaves as they are; with the ids that they have in it.

    Those that were kept before, those to somebody else, and those that are due much later than what is being said.
    """
    if plan is None:
        return ()
    over = _waits_over(plan)
    stays = [
        t
        for t in promises(plan)
        if t.kept_from is not None
        or not set(t.people) <= set(people)
        or any(_begins(plan, wait) and wait.task.pause() > MUCH_LATER for wait in over[t.task.id])
    ]
    return _named(plan, _that_fit(stays))


def with_kept(new: Plan, stays: Sequence[PlannedTask]) -> Plan:
    """The new plan with what stays of the one before, but for what it takes back."""
    wanted = {t.task.takes_back for t in new.tasks if t.task.takes_back}
    unknown = wanted - {t.task.id for t in stays}
    notes = (*new.notes, "Something was to be taken back that is not promised.") if unknown else new.notes
    gone = _below(stays, wanted)
    rest = tuple(t for t in stays if t.task.id not in gone)
    return new.model_copy(update={"tasks": (*new.tasks, *rest), "notes": notes})


def going_on(before: Plan, after: Plan | None) -> frozenset[str]:
    """The ids of those open tasks of a plan that are open in a later state of it, or in the plan after it."""
    there = {_identity(after, t) for t in after.tasks if t.is_open} if after is not None else set()
    return frozenset(t.task.id for t in before.tasks if t.is_open and _identity(before, t) in there)


def gone_events(before: Plan | None, after: Plan | None, now: datetime) -> Iterator[Event]:
    """The entries that say which promises of a plan will not be held, each with what was promised."""
    if before is None:
        return
    stays, over = going_on(before, after), _waits_over(before)
    for planned in promises(before):
        if planned.task.id not in stays and planned.task.words:
            due = max((w.not_before for w in over[planned.task.id] if w.not_before is not None), default=None)
            when = f", which was due from {due:%Y-%m-%d %H:%M} UTC on," if due is not None else ""
            note = f'what you promised to send later{when} was taken back: "{_excerpt(planned.task.words)}"'
            yield Event(at=now, kind=GONE, note=note)


def waited_before(plan: Plan, planned: PlannedTask) -> int:
    """How many seconds of waits stand between a task and what is said before it."""
    return round(_waited(plan)[planned.task.id].total_seconds())


def foreseen(plan: Plan, planned: PlannedTask) -> tuple[Later, ...]:
    """What the plan says after the waits that follow a task; what is itself said after a wait has been told before."""
    over = _waits_over(plan)
    first = {t.task.id for t in plan.tasks if _elapses(t) and planned.task.id in t.task.depends_on}
    if over[planned.task.id] or not first:
        return ()
    waited = _waited(plan)
    said = (t.task for t in plan.tasks if t.task.words and not first.isdisjoint(w.task.id for w in over[t.task.id]))
    return tuple(Later(seconds=round(waited[t.id].total_seconds()), text=_excerpt(t.words)) for t in said)


def _waited(plan: Plan) -> Mapping[str, timedelta]:
    """For each task of a plan how long its waits last since something was said."""
    spans: dict[str, timedelta] = {}
    through: dict[str, timedelta] = {}
    for t in plan.tasks:  # dependencies stand before what depends on them
        spans[t.task.id] = max((through.get(needed, timedelta()) for needed in t.task.depends_on), default=timedelta())
        through[t.task.id] = timedelta() if t.task.words else spans[t.task.id] + t.task.pause()
    return spans


def _elapses(planned: PlannedTask) -> bool:
    return planned.task.traits.elapses and planned.task.pause() > timedelta()


def _waits_over(plan: Plan) -> Mapping[str, tuple[PlannedTask, ...]]:
    """For each task of a plan the waits that it hangs below; a wait is one of its own."""
    over: dict[str, dict[str, PlannedTask]] = {}
    for t in plan.tasks:  # dependencies stand before what depends on them
        above = {id_: wait for needed in t.task.depends_on for id_, wait in over.get(needed, {}).items()}
        over[t.task.id] = above | ({t.task.id: t} if _elapses(t) else {})
    return {id_: tuple(waits.values()) for id_, waits in over.items()}


def _begins(plan: Plan, wait: PlannedTask) -> bool:
    """Whether a wait has begun, or follows what was said."""
    return wait.not_before is not None or not wait.is_open or plan.is_begun


def _is_counted_on(plan: Plan, planned: PlannedTask, waits: Sequence[PlannedTask]) -> bool:
    return planned.kept_from is not None or any(_begins(plan, wait) for wait in waits)


def _that_fit(stays: Sequence[PlannedTask]) -> Sequence[PlannedTask]:
    """As many as a plan can hold: what was promised first, and nothing without what it hangs below."""
    fitting = list[PlannedTask]()
    left, size = set[str](), 0
    for planned in sorted(stays, key=lambda t: _place(t.task.id)):
        size += len(planned.model_dump_json().encode(errors="replace"))
        if len(fitting) == MOST_KEPT_TASKS or size > MOST_KEPT_BYTES or not left.isdisjoint(planned.task.depends_on):
            left.add(planned.task.id)
        else:
            fitting.append(planned)
    return fitting


def _place(task_id: str) -> float:
    """Where a task stands among those that are kept: by its number, behind them if it is kept for the first time."""
    number = _KEPT.fullmatch(task_id)
    return int(number[1]) if number else float("inf")


def _named(plan: Plan, stays: Sequence[PlannedTask]) -> tuple[PlannedTask, ...]:
    """The tasks under ids of their own, each hanging below those of them alone."""
    last = max((int(n[1]) for t in plan.tasks if (n := _KEPT.fullmatch(t.task.id))), default=0)
    fresh = (t.task.id for t in stays if t.kept_from is None)
    names = {id_: f"k{number}" for number, id_ in enumerate(fresh, last + 1)}
    names |= {t.task.id: t.task.id for t in stays if t.kept_from is not None}
    return tuple(_kept_as(plan, t, names) for t in stays)


def _kept_as(plan: Plan, planned: PlannedTask, names: Mapping[str, str]) -> PlannedTask:
    depends_on = tuple(names[id_] for id_ in planned.task.depends_on if id_ in names)
    task = planned.task.model_copy(update={"id": names[planned.task.id], "depends_on": depends_on})
    return planned.model_copy(update={"task": task, "kept_from": origin_of(plan, planned)})


def _below(tasks: Sequence[PlannedTask], wanted: Collection[str]) -> frozenset[str]:
    """The wanted ids, with those of all that hangs below them."""
    found = set(wanted)
    for t in tasks:
        if not found.isdisjoint(t.task.depends_on):
            found.add(t.task.id)
    return frozenset(found)


def _identity(plan: Plan, planned: PlannedTask) -> tuple[str, str]:
    origin = origin_of(plan, planned)
    return origin.plan, origin.task


def _excerpt(text: str) -> str:
    return text if len(text) <= EXCERPT_CHARACTERS else f"{text[: EXCERPT_CHARACTERS - 1].rstrip()}…"
