"""Promises: which tasks of a plan stay when another replaces it, their ids, and the entries on dropped ones."""

from datetime import timedelta

import pytest

from shared.tasks.graph import cancel_planned, with_task
from shared.tasks.outcome import mark_attempted, task_of, with_deliveries
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.tasks.revoke import Revoke
from shared.tasks.task import Task
from shared.turn.promises import (
    MOST_KEPT_BYTES,
    MOST_KEPT_TASKS,
    MUCH_LATER,
    NOT_PROMISED,
    TO_OTHERS,
    going_on,
    gone_events,
    kept_promises,
    promises,
    with_promises,
)
from shared.values.evolve import evolve
from tests.shared.examples import ANN, BOB, NOW, plan_of, send, wait

SOON, LATER = round(MUCH_LATER.total_seconds()), round(MUCH_LATER.total_seconds()) + 1


def promised(*tasks: Task, people: tuple[int, ...] = (ANN.id,), begun: str = "2") -> Plan:
    """Return a plan that answers people, whose wait has begun; everything before the wait is done."""
    plan = evolve(plan_of(*tasks), answers=(7,))
    done = tuple(
        t.model_copy(
            update={"people": people, "not_before": NOW + t.task.pause()}
            if t.task.id == begun
            else {"people": people, "state": TaskState.DONE if t.task.id < begun else TaskState.PLANNED}
        )
        for t in plan.tasks
    )
    return evolve(plan, tasks=done)


def reminder(seconds: int, text: str = "Tea!", people: tuple[int, ...] = (ANN.id,)) -> Plan:
    tasks = send("1", "I will."), wait("2", seconds, after=("1",)), send("3", text, after=("2",))
    return promised(*tasks, people=people)


def ids(tasks: tuple[PlannedTask, ...]) -> list[str]:
    return [t.task.id for t in tasks]


@pytest.mark.parametrize(
    ("seconds", "people", "stays"),
    [(LATER, (ANN.id,), True), (SOON, (ANN.id,), False), (SOON, (BOB.id,), True), (SOON, (ANN.id, BOB.id), True)],
)
def test_what_is_due_later_or_promised_to_others_stays(seconds: int, people: tuple[int, ...], stays: bool) -> None:
    assert bool(kept_promises(reminder(seconds, people=people), {ANN.id})) == stays


def test_what_stays_has_ids_of_its_own_and_its_state() -> None:
    plan = reminder(LATER)
    sent = mark_attempted(with_deliveries(task_of(plan, "3"), 2), 0, NOW)
    pause, text = kept_promises(with_task(plan, sent), {ANN.id})
    assert (pause.task.id, text.task.id, text.task.depends_on) == ("k1", "k2", ("k1",))
    assert pause.not_before == NOW + timedelta(seconds=LATER)
    assert text.deliveries == sent.deliveries
    assert text.kept_from is not None
    assert (text.kept_from.plan, text.kept_from.answers) == ("p1", (7,))


def test_what_stays_outlasts_many_plans_and_no_two_have_one_id() -> None:
    plan = reminder(LATER)
    for number in range(2, 6):
        fresh = reminder(LATER, f"Tea {number}!")
        plan = with_promises(evolve(fresh, id=f"p{number}"), kept_promises(plan, {ANN.id}))
        assert len(set(ids(plan.tasks))) == len(plan.tasks)
    texts = [t.task.words for t in plan.tasks if t.is_open]
    assert texts == ["", "Tea 5!", "", "Tea!", "", "Tea 2!", "", "Tea 3!", "", "Tea 4!"]
    assert not plan.is_begun, "what an earlier plan has sent is not this one's"


def test_what_nobody_was_told_of_is_made_anew() -> None:
    unsaid = plan_of(send("1"), wait("2", LATER, after=("1",)), send("3", after=("2",)))
    assert promises(unsaid) == kept_promises(unsaid, set()) == ()
    begun = with_task(unsaid, mark_attempted(with_deliveries(task_of(unsaid, "1"), 2), 0, NOW))
    assert ids(kept_promises(begun, {ANN.id})) == ["k1", "k2"], (
        "its wait begins when the first part of what was told has left"
    )
    assert kept_promises(begun, {ANN.id})[0].task.depends_on == ()


def test_a_short_pause_before_it_goes_and_the_long_one_stays() -> None:
    tasks = wait("2", 5), send("3", "go", ("2",)), wait("4", LATER, ("3",)), send("5", "done", ("4",))
    stays = kept_promises(promised(*tasks), {ANN.id})
    assert stays == ()
    said = promised(send("1"), *tasks)
    said = with_task(said, with_deliveries(task_of(said, "1"), 1))
    said = with_task(said, mark_attempted(task_of(said, "1"), 0, NOW))
    assert [(t.task.id, t.task.depends_on, t.task.words) for t in kept_promises(said, {ANN.id})] == [
        ("k1", (), ""),
        ("k2", ("k1",), "done"),
    ]


def test_a_new_plan_takes_back_what_it_names_with_all_that_follows() -> None:
    before = reminder(LATER)
    stays = kept_promises(before, {ANN.id})
    new = plan_of(Revoke(id="1", task_id=" K1 "), send("2"), plan_id="p2")
    assert ids(with_promises(new, stays).tasks) == ["1", "2"]
    assert [t.state for t in with_promises(new, stays).tasks] == [TaskState.PLANNED, TaskState.PLANNED]
    unknown = with_promises(plan_of(Revoke(id="1", task_id="k9"), plan_id="p2"), stays)
    assert [(t.state, t.why) for t in unknown.tasks[:1]] == [(TaskState.FAILED, NOT_PROMISED)]
    (event,) = gone_events(before, with_promises(new, stays), NOW)
    assert (event.kind, "Tea!" in event.note, "I will" in event.note) == ("promise_gone", True, False)
    assert list(gone_events(before, with_promises(plan_of(send(), plan_id="p2"), stays), NOW)) == []


@pytest.mark.parametrize(
    ("people", "saw_outside", "why"),
    [((ANN.id,), True, ""), ((BOB.id,), False, ""), ((BOB.id,), True, TO_OTHERS), ((ANN.id, BOB.id), True, "")],
)
def test_no_text_from_outside_takes_back_what_somebody_else_was_promised(
    people: tuple[int, ...], saw_outside: bool, why: str
) -> None:
    stays = kept_promises(reminder(LATER), {BOB.id})
    new = plan_of(Revoke(id="1", task_id="k1"), plan_id="p2")
    of_all = {"people": people, "saw_outside": saw_outside}
    new = evolve(new, tasks=tuple(t.model_copy(update=of_all) for t in new.tasks))
    after = with_promises(new, stays)
    assert (after.tasks[0].why, len(after.tasks)) == (why, 3 if why else 1)


def test_what_is_replaced_or_stopped_is_told() -> None:
    before = reminder(SOON)
    assert len(list(gone_events(before, plan_of(send(), plan_id="p2"), NOW))) == 1
    assert len(list(gone_events(before, cancel_planned(before, "stopped"), NOW))) == 1
    assert list(gone_events(before, cancel_planned(before, "stopped", {"2", "3"}), NOW)) == []
    assert list(gone_events(None, before, NOW)) == []
    assert going_on(before, before) == {"2", "3"}
    assert going_on(before, None) == frozenset()


def test_a_plan_keeps_what_was_promised_first_within_a_document() -> None:
    tasks: list[Task] = [send("0")]
    for number in range(1, MOST_KEPT_TASKS + 3):
        tasks.append(wait(f"{number}", LATER))
    plan = plan_of(*tasks)
    plan = evolve(plan, tasks=tuple(evolve(t, not_before=NOW) for t in plan.tasks))
    assert len(kept_promises(plan, set())) == MOST_KEPT_TASKS
    big = reminder(LATER, "x" * MOST_KEPT_BYTES)
    assert [t.task.words for t in kept_promises(big, {ANN.id})] == [""]
