"""What every task has."""

from shared.tasks.task import own_task_id


def test_the_task_that_answers_an_update_is_named_for_it() -> None:
    assert own_task_id(7) == "own-7"
