"""Promises: messages that a plan sends after a wait. A new plan carries them over, unless it revokes them.

A promise that is carried over is a task of the new plan with a new id, and stores its origin (`PlannedTask.kept_from`).
A message that is followed by waits also stores the texts that come after the waits (`later_texts`).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from shared.base.text import abridge
from shared.tasks.graph import origin_of
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.values.evolve import evolve
from shared.values.message import EXCERPT_CHARACTERS, Event, PlannedMessage

#: up to this length, a wait only paces a conversation, and a new plan need not send the message after it. People count
#: on a message that is promised for later, as on a reminder
MUCH_LATER = timedelta(minutes=1)
#: limits of what is carried over; above these, the newest promises are dropped. A plan is a document of at most 1 MiB
#: (firebase.google.com/docs/firestore/quotas), and a new plan may have 50 tasks of its own
MOST_KEPT_TASKS = 100
MOST_KEPT_BYTES = 150_000

#: the form of the ids of tasks that were carried over; the ids that the model gives are numbers
_KEPT = re.compile(r"k(\d+)")

#: the kind of events that report promises that will not be fulfilled
GONE = "promise_gone"
#: the reasons, as the model is told, why a promise is not revoked
NOT_PROMISED: Final = "nothing of that id is promised"
TO_OTHERS: Final = "it was promised to somebody else, and your plan was made from text from outside"


def promises(plan: Plan | None) -> tuple[PlannedTask, ...]:
    """Return a plan's open tasks that follow a wait, and these waits, if people may already count on them.

    If a plan has sent nothing and its wait has not begun, nobody can count on the tasks after the wait.
    """
    if plan is None:
        return ()
    over = waits_over(plan)
    return tuple(t for t in plan.tasks if t.is_open and not t.is_own and _is_counted_on(plan, t, over[t.task.id]))


def kept_promises(plan: Plan | None, people: Collection[int]) -> tuple[PlannedTask, ...]:
    """Return the promises (messages that follow a wait) that a new plan for `people` carries over, with their new ids.

    These are promises that were carried over before, promises to other people, and promises after a wait of more than
    MUCH_LATER.
    """
    if plan is None:
        return ()
    over = waits_over(plan)
    stays = [
        t
        for t in promises(plan)
        if t.kept_from is not None
        or not set(t.people) <= set(people)
        or any(_begins(plan, wait) and wait.task.pause() > MUCH_LATER for wait in over[t.task.id])
    ]
    return _with_kept_ids(plan, _that_fit(stays))


def with_promises(new: Plan, stays: Sequence[PlannedTask]) -> Plan:
    """Return the new plan with the earlier plan's promises (`stays`) at its end, except those that it revokes.

    If the model saw untrusted text, the new plan cannot revoke promises to people whom it does not answer.
    """
    tasks = tuple(_refuse_revoke(t, stays) for t in new.tasks)
    gone = _below(stays, {t.task.takes_back for t in tasks if t.is_open and t.task.takes_back})
    rest = tuple(t for t in stays if t.task.id not in gone)
    return evolve(new, tasks=(*tasks, *rest))


def _refuse_revoke(planned: PlannedTask, stays: Sequence[PlannedTask]) -> PlannedTask:
    """Return the task. It is marked as failed if it revokes a promise that does not exist or that it may not revoke."""
    if not planned.task.takes_back:
        return planned
    meant = [t for t in stays if t.task.id in _below(stays, {planned.task.takes_back})]
    is_others = planned.saw_outside and any(not set(t.people) <= set(planned.people) for t in meant)
    why = NOT_PROMISED if not meant else TO_OTHERS if is_others else ""
    return evolve(planned, state=TaskState.FAILED, why=why) if why else planned


def going_on(before: Plan, after: Plan | None) -> frozenset[str]:
    """Return the ids of a plan's open tasks that are still open in `after`, its later state or the next plan."""
    there = {_identity(after, t) for t in after.tasks if t.is_open} if after is not None else set()
    return frozenset(t.task.id for t in before.tasks if t.is_open and _identity(before, t) in there)


def gone_events(before: Plan | None, after: Plan | None, now: datetime) -> Iterator[Event]:
    """Yield an event, with the text, for each message that a plan promised for later and that will not be sent."""
    if before is None:
        return
    stays, over = going_on(before, after), waits_over(before)
    for planned in promises(before):
        if planned.task.id not in stays and planned.task.words:
            due = max((w.not_before for w in over[planned.task.id] if w.not_before is not None), default=None)
            when = f", which was due from {due:%Y-%m-%d %H:%M} UTC on," if due is not None else ""
            promised = abridge(planned.task.words, EXCERPT_CHARACTERS)
            note = f'what you promised to send later{when} was taken back: "{promised}"'
            yield Event(at=now, kind=GONE, note=note, holds_outside=planned.is_marked)


def _begins(plan: Plan, wait: PlannedTask) -> bool:
    """Return whether a wait has begun: it has a due time, is over, or the plan has sent a message."""
    return wait.not_before is not None or not wait.is_open or plan.is_begun


def _is_counted_on(plan: Plan, planned: PlannedTask, waits: Sequence[PlannedTask]) -> bool:
    return planned.kept_from is not None or any(_begins(plan, wait) for wait in waits)


def _that_fit(stays: Sequence[PlannedTask]) -> Sequence[PlannedTask]:
    """Return as many promised tasks as a plan can hold, oldest first. A dropped task's dependants are dropped too."""
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
    """Return the sort key of a task: the number in the id of a task that was carried over; new tasks come last."""
    number = _KEPT.fullmatch(task_id)
    return int(number[1]) if number else float("inf")


def _with_kept_ids(plan: Plan, stays: Sequence[PlannedTask]) -> tuple[PlannedTask, ...]:
    """Return the tasks with new ids, and without dependencies on any other tasks."""
    last = max((int(n[1]) for t in plan.tasks if (n := _KEPT.fullmatch(t.task.id))), default=0)
    fresh = (t.task.id for t in stays if t.kept_from is None)
    names = {id_: f"k{number}" for number, id_ in enumerate(fresh, last + 1)}
    names |= {t.task.id: t.task.id for t in stays if t.kept_from is not None}
    return tuple(_kept_as(plan, t, names) for t in stays)


def _kept_as(plan: Plan, planned: PlannedTask, names: Mapping[str, str]) -> PlannedTask:
    depends_on = tuple(names[id_] for id_ in planned.task.depends_on if id_ in names)
    task = evolve(planned.task, id=names[planned.task.id], depends_on=depends_on)
    return evolve(planned, task=task, kept_from=origin_of(plan, planned))


def _below(tasks: Sequence[PlannedTask], wanted: Collection[str]) -> frozenset[str]:
    """Return the wanted ids, and the ids of all tasks that depend on the wanted ones."""
    found = set(wanted)
    for t in tasks:
        if not found.isdisjoint(t.task.depends_on):
            found.add(t.task.id)
    return frozenset(found)


def _identity(plan: Plan, planned: PlannedTask) -> tuple[str, str]:
    origin = origin_of(plan, planned)
    return origin.plan, origin.task


def waits_over(plan: Plan) -> Mapping[str, tuple[PlannedTask, ...]]:
    """Return the waits before each task of a plan, by the task's id. A wait is included in its own list."""
    over: dict[str, dict[str, PlannedTask]] = {}
    for t in plan.tasks:  # every task follows its dependencies
        above = {id_: wait for needed in t.task.depends_on for id_, wait in over.get(needed, {}).items()}
        over[t.task.id] = above | ({t.task.id: t} if _elapses(t) else {})
    return {id_: tuple(waits.values()) for id_, waits in over.items()}


def _elapses(planned: PlannedTask) -> bool:
    return planned.task.traits.elapses and planned.task.pause() > timedelta()


def waited_before(plan: Plan, planned: PlannedTask) -> int:
    """Return how many seconds the plan waits before a task, counted from the message that precedes the task."""
    return round(_spans(plan)[planned.task.id].total_seconds())


def later_texts(plan: Plan, planned: PlannedTask) -> tuple[PlannedMessage, ...]:
    """Return the texts that the plan sends after the waits that directly follow a task.

    Empty if the task itself follows a wait: then these texts are stored with the message before that wait.
    """
    over = waits_over(plan)
    first = {t.task.id for t in plan.tasks if _elapses(t) and planned.task.id in t.task.depends_on}
    if over[planned.task.id] or not first:
        return ()
    spans = _spans(plan)
    said = (t.task for t in plan.tasks if t.task.words and not first.isdisjoint(w.task.id for w in over[t.task.id]))
    return tuple(
        PlannedMessage(seconds=round(spans[t.id].total_seconds()), text=abridge(t.words, EXCERPT_CHARACTERS))
        for t in said
    )


def _spans(plan: Plan) -> Mapping[str, timedelta]:
    """Return, for each task of a plan, the total length of the waits since the message before the task."""
    spans: dict[str, timedelta] = {}
    through: dict[str, timedelta] = {}
    for t in plan.tasks:  # every task follows its dependencies
        spans[t.task.id] = max((through.get(needed, timedelta()) for needed in t.task.depends_on), default=timedelta())
        through[t.task.id] = timedelta() if t.task.words else spans[t.task.id] + t.task.pause()
    return spans
