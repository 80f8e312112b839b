"""Waits in a plan: how long it waited before a message, and the texts announced for later."""

from shared.tasks.outcome import task_of
from shared.turn.promises import later_texts, waited_before
from shared.values.message import PlannedMessage
from tests.shared.examples import plan_of, send, wait


def test_the_first_message_tells_what_the_plan_says_after_its_waits() -> None:
    plan = plan_of(
        send("1", "I will."),
        wait("2", 60, ("1",)),
        send("3", "Tea!", ("2",)),
        wait("4", 30, ("3",)),
        send("5", "x", ("4",)),
    )
    coming = (PlannedMessage(seconds=60, text="Tea!"), PlannedMessage(seconds=30, text="x"))
    assert later_texts(plan, task_of(plan, "1")) == coming
    assert later_texts(plan, task_of(plan, "3")) == ()
    assert [waited_before(plan, t) for t in plan.tasks] == [0, 0, 60, 0, 30]


def test_many_ways_to_a_task_are_counted_once() -> None:
    tasks = [wait("0", 1), *(wait(f"{n}", 1, tuple(str(m) for m in range(n))) for n in range(1, 50))]
    assert waited_before(plan_of(*tasks), task_of(plan_of(*tasks), "49")) == 49
