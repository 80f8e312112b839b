"""Every acyclic graph of tasks is carried out: each task runs once, after the tasks on which it depends."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.tasks.graph import (
    cancel_all,
    cancel_planned,
    initial_tasks,
    let_time_pass,
    next_due_at,
    next_task,
    replace_plan,
    with_failure,
    with_task,
)
from shared.tasks.notice import Notice
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.tasks.react import React
from shared.tasks.send import Send
from shared.tasks.task import Task
from shared.tasks.wait import Wait
from shared.values.evolve import evolve
from tests.shared.examples import NOW, PROPERTY, SECOND, plan_of, react, send, wait


@st.composite
def graphs(draw: st.DrawFn) -> Plan:
    """Draw tasks of all kinds; each depends on some earlier ones."""
    tasks: list[Task] = []
    for number in range(draw(st.integers(0, 8))):
        after = tuple(sorted(draw(st.sets(st.sampled_from([str(n) for n in range(number)])))) if number else ())
        seconds = draw(st.integers(0, 90))
        kinds: tuple[Task, ...] = send(str(number), after=after), react(str(number), after)
        tasks.append(draw(st.sampled_from([*kinds, wait(str(number), seconds, after)])))
    return plan_of(*tasks)


def carried_out(plan: Plan, failing: frozenset[str] = frozenset()) -> tuple[Plan, list[str], datetime]:
    """Carry out a plan to its end; return it, the order of its tasks, and the time of the end."""
    now, order = NOW, list[str]()
    while (due := next_due_at(plan)) is not None:
        now = max(now, due)
        while (task := next_task(plan, now)) is not None:
            if isinstance(task.task, Wait) and (task.not_before is None and task.task.seconds > 0):
                plan = with_task(plan, let_time_pass(task, now))
                continue
            order.append(task.task.id)
            if task.task.id in failing:
                plan = with_failure(plan, task.task.id, "refused")
            else:
                plan = with_task(plan, evolve(task, state=TaskState.DONE))
    return plan, order, now


@PROPERTY
@given(graphs())
def test_every_task_is_done_once_after_what_it_depends_on(plan: Plan) -> None:
    ended, order, _ = carried_out(plan)
    assert sorted(order) == sorted(t.task.id for t in plan.tasks)
    assert all(t.state is TaskState.DONE for t in ended.tasks)
    assert all(order.index(d) < order.index(t.task.id) for t in plan.tasks for d in t.task.depends_on)


@PROPERTY
@given(graphs())
def test_a_plan_takes_as_long_as_its_longest_chain_of_waits(plan: Plan) -> None:
    ends: dict[str, int] = {}
    for t in plan.tasks:
        own = t.task.seconds if isinstance(t.task, Wait) else 0
        ends[t.task.id] = own + max((ends[d] for d in t.task.depends_on), default=0)
    assert carried_out(plan)[2] == NOW + timedelta(seconds=max(ends.values(), default=0))


@PROPERTY
@given(graphs(), st.frozensets(st.sampled_from("01234567")))
def test_after_failures_nothing_stays_open_and_nothing_dead_is_done(plan: Plan, failing: frozenset[str]) -> None:
    ended, _, _ = carried_out(plan, failing)
    assert not ended.is_open
    states = {t.task.id: t.state for t in ended.tasks}
    for t in ended.tasks:
        broken = [d for d in t.task.depends_on if _breaks(ended, d)]
        assert (states[t.task.id] is TaskState.CANCELLED) == bool(broken)
        assert (states[t.task.id] is TaskState.FAILED) == (not broken and t.task.id in failing)


def _breaks(plan: Plan, task_id: str) -> bool:
    """Return whether the tasks that depend on this task cannot be done: it was cancelled, or it failed and is not a
    reaction.
    """
    t = next(t for t in plan.tasks if t.task.id == task_id)
    return t.state is TaskState.CANCELLED or (t.state is TaskState.FAILED and t.task.kind != "react")


def test_a_plan_that_is_stopped_keeps_what_lull_itself_has_to_say() -> None:
    own = PlannedTask(task=send("own"), is_own=True)
    plan = plan_of(send("1"), wait("2", 60, ("1",)))
    ended = cancel_planned(evolve(plan, tasks=(own, *plan.tasks)), "stopped")
    assert [(t.state, t.why) for t in ended.tasks] == [
        (TaskState.PLANNED, ""), *[(TaskState.CANCELLED, "stopped")] * 2
    ]  # fmt: skip


def test_drops_tasks_that_go_on_under_another_plan() -> None:
    own = PlannedTask(task=send("own"), is_own=True)
    plan = plan_of(send("1"), wait("2", 60), send("3", after=("2",)))
    ended = replace_plan(evolve(plan, tasks=(own, *plan.tasks)), "p2", kept=("2", "3"))
    assert [(t.task.id, t.state, t.why) for t in ended.tasks] == [("1", TaskState.CANCELLED, "replaced by plan p2")]


def test_tasks_begin_as_planned() -> None:
    assert initial_tasks([send("1"), react("2")]) == (PlannedTask(task=send("1")), PlannedTask(task=react("2")))


@PROPERTY
@given(graphs(), st.lists(st.text(min_size=1), min_size=8, max_size=8, unique=True))
def test_tasks_are_named_for_their_places_whatever_a_model_calls_them(plan: Plan, names: list[str]) -> None:
    tasks = [t.task for t in plan.tasks if isinstance(t.task, Send | Wait | React)]
    called = [
        evolve(task, id=names[int(task.id)], depends_on=tuple(names[int(d)] for d in task.depends_on)) for task in tasks
    ]
    found = [t.task for t in initial_tasks(called)]
    assert [task.id for task in found] == [str(place) for place, _ in enumerate(tasks, start=1)]
    assert [[int(d) - 1 for d in task.depends_on] for task in found] == [list(map(int, t.depends_on)) for t in tasks]


def test_tasks_that_are_due_precede_waiting_ones() -> None:
    plan = plan_of(send("1"), send("2"))
    plan = with_task(plan, evolve(plan.tasks[0], not_before=NOW + SECOND))
    found = next_task(plan, NOW)
    assert found is not None
    assert found.task.id == "2"
    done = with_task(plan, evolve(plan.tasks[1], state=TaskState.DONE))
    assert next_task(done, NOW) is None
    assert next_due_at(done) == NOW + SECOND
    assert next_task(done, NOW + SECOND) == plan.tasks[0]


@pytest.mark.parametrize(("seconds", "state"), [(0, TaskState.DONE), (5, TaskState.PLANNED)])
def test_a_wait_begins_when_it_is_reached(seconds: int, state: TaskState) -> None:
    task = wait(seconds=seconds)
    first = let_time_pass(PlannedTask(task=task), NOW)
    assert first.state is state
    assert first.not_before == (NOW + timedelta(seconds=seconds) if seconds else None)
    assert let_time_pass(first, NOW + timedelta(seconds=seconds)).state is TaskState.DONE


def test_dropping_keeps_what_is_over() -> None:
    plan = plan_of(send("1"), send("2"))
    plan = with_task(plan, evolve(plan.tasks[0], state=TaskState.DONE))
    after = cancel_all(plan, "because")
    assert [(t.state, t.why) for t in after.tasks] == [(TaskState.DONE, ""), (TaskState.CANCELLED, "because")]


def test_nothing_is_due_in_an_empty_plan() -> None:
    assert next_due_at(plan_of()) is None
    assert next_task(plan_of(), NOW) is None


def test_lulls_own_messages_keep_their_order_and_delay_nothing_else() -> None:
    later = NOW + 10 * SECOND
    first, second = (PlannedTask(task=send(name), is_own=True) for name in ("own-1", "own-2"))
    notice = PlannedTask(task=Notice(id="own-3", query_id="q"), is_own=True)
    waiting = evolve(first, not_before=later)
    plan = evolve(plan_of(send("1")), tasks=(waiting, second, notice, *plan_of(send("1")).tasks))
    order = list[str]()
    while (due := next_task(plan, NOW)) is not None:
        order.append(due.task.id)
        plan = with_task(plan, evolve(due, state=TaskState.DONE))
    assert order == ["own-3", "1"]
    assert next_due_at(plan) == later
    assert [t.task.id for t in (next_task(plan, later),) if t] == ["own-1"]
