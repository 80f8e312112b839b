"""What elapses in a plan: a task that is not delivered is done; and what waits tell of when something is said."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from shared.base.text import abridged
from shared.memory.remembering import tapped
from shared.tasks.graph import waited, with_failure, with_task
from shared.tasks.plan import Plan, PlannedTask
from shared.turn.effects import TOO_FAR, reaches_too_far
from shared.values.message import EXCERPT_CHARACTERS, Later

if TYPE_CHECKING:
    from shared.chat.session import Session
    from shared.turn.runner import Runner


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


async def take_effect(runner: Runner, session: Session, plan: Plan, planned: PlannedTask) -> Plan:
    """The plan once a task that is due, and that nobody is sent, is done, with what lull says of it.

    Raises StoreUnavailable, StoreRefused or QueueUnavailable.
    """
    task = planned.task
    if reaches_too_far(planned):
        return with_failure(plan, task.id, TOO_FAR)
    if (task.measure or task.traits.begins_conversation) and runner.rosters is not None:
        from shared.access.measures import Measures  # only who takes one pays for it

        measures = Measures(runner.agent, runner.channel, runner.chats, runner.rosters, runner.clock)
        return await measures.taken(session, plan, planned)
    if task.arrangement is not None and runner.reminders is not None and runner.queue is not None:
        from shared.reminders.arranging import Arranger  # only who schedules pays for it

        return await Arranger(runner.reminders, runner.queue, runner.clock).arranged(session, plan, planned)
    if task.reminder_change is not None and (rearranger := runner.rearranger()) is not None:
        return await rearranger.rearranged(session, plan, planned)
    if task.memory_wish is not None and runner.memories is not None:
        roster = await runner.rosters.roster(runner.agent.id) if runner.rosters is not None else None
        owner = roster.owner if roster is not None else 0
        return await tapped(runner.memories, session, plan, planned, (runner.clock(), owner))
    if task.told_zone and runner.people is not None:
        from shared.reminders.zones import zone_kept  # only who says one pays for it

        return await zone_kept((runner.people, runner.reminders, runner.queue), session, plan, planned, runner.clock)
    return with_task(plan, waited(planned, runner.clock()))
