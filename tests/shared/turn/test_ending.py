"""The tasks of a standing plan that a batch ends; complete chats are in test_rounds.py and tests/stories."""

from shared.tasks.graph import cancel_all
from shared.tasks.plan import TaskState
from shared.turn.rounds import ended_tasks
from shared.values.evolve import evolve
from tests.shared.examples import plan_of, send


def test_without_a_plan_nothing_ends() -> None:
    assert ended_tasks(None, None) == ()


def test_what_is_open_before_and_not_after_has_ended() -> None:
    before = plan_of(send("1"), send("2"))
    own = evolve(before.tasks[0], is_own=True)
    before = evolve(before, tasks=(own, *before.tasks[1:]))
    assert [t.task.id for t in ended_tasks(before, cancel_all(before, "x"))] == ["2"]
    assert [t.task.id for t in ended_tasks(before, None)] == ["2"]
    assert ended_tasks(before, before) == ()
    assert all(t.state is TaskState.PLANNED for t in before.tasks)
