"""What elapses in a plan: a task that is not delivered is done; and what waits tell of when something is said."""

from collections.abc import Mapping
from datetime import timedelta

from shared.base.text import abridged
from shared.tasks.plan import Plan, PlannedTask
from shared.values.message import EXCERPT_CHARACTERS, Later


def waits_over(plan: Plan) -> Mapping[str, tuple[PlannedTask, ...]]:
    """For each task of a plan the waits that it hangs below; a wait is one of its own."""
    over: dict[str, dict[str, PlannedTask]] = {}
    for t in plan.tasks:  # dependencies stand before what depends on them
        above = {id_: wait for needed in t.task.depends_on for id_, wait in over.get(needed, {}).items()}
        over[t.task.id] = above | ({t.task.id: t} if _elapses(t) else {})
    return {id_: tuple(waits.values()) for id_, waits in over.items()}


def _elapses(planned: PlannedTask) -> bool:
    return planned.task.traits.elapses and planned.task.pause() > timedelta()


def waited_before(plan: Plan, planned: PlannedTask) -> int:
    """How many seconds of waits stand between a task and what is said before it."""
    return round(_spans(plan)[planned.task.id].total_seconds())


def foreseen(plan: Plan, planned: PlannedTask) -> tuple[Later, ...]:
    """What the plan says after the waits that follow a task; what is itself said after a wait has been told before."""
    over = waits_over(plan)
    first = {t.task.id for t in plan.tasks if _elapses(t) and planned.task.id in t.task.depends_on}
    if over[planned.task.id] or not first:
        return ()
    spans = _spans(plan)
    said = (t.task for t in plan.tasks if t.task.words and not first.isdisjoint(w.task.id for w in over[t.task.id]))
    return tuple(
        Later(seconds=round(spans[t.id].total_seconds()), text=abridged(t.words, EXCERPT_CHARACTERS)) for t in said
    )


def _spans(plan: Plan) -> Mapping[str, timedelta]:
    """For each task of a plan how long its waits last since something was said."""
    spans: dict[str, timedelta] = {}
    through: dict[str, timedelta] = {}
    for t in plan.tasks:  # dependencies stand before what depends on them
        spans[t.task.id] = max((through.get(needed, timedelta()) for needed in t.task.depends_on), default=timedelta())
        through[t.task.id] = timedelta() if t.task.words else spans[t.task.id] + t.task.pause()
    return spans
