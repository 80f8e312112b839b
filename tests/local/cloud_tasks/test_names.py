from collections.abc import Callable

import pytest

from local.cloud_tasks.errors import CloudTasksError
from local.cloud_tasks.names import (
    checked_location,
    checked_queue,
    checked_task,
    name_for_new_task,
    queue_of,
    short_id,
)
from tests.local.cloud_tasks.cloud import LOCATION, QUEUE


@pytest.mark.parametrize(
    ("check", "name", "begins"),
    [
        (checked_location, "projects/p", "Invalid resource field"),
        (checked_queue, LOCATION, "Queue name must be formatted"),
        (checked_queue, f"{LOCATION}/queues/under_score", "Queue name must be formatted"),
        (checked_queue, f"{LOCATION}/queues/{'q' * 101}", "Queue name must be formatted"),
        (checked_task, QUEUE, "Task name must be formatted"),
        (checked_task, f"{QUEUE}/tasks/", 'Task ID ""'),
        (checked_task, f"{QUEUE}/tasks/a:b", 'Task ID "a:b"'),
        (checked_task, f"{QUEUE}/tasks/a.b", 'Task ID "a.b"'),
        (checked_task, f"{QUEUE}/tasks/{'t' * 501}", "Task ID"),
    ],
)
def test_a_wrong_name_is_refused(check: Callable[[str], str], name: str, begins: str) -> None:
    with pytest.raises(CloudTasksError) as refused:
        check(name)
    assert refused.value.message.startswith(begins)


@pytest.mark.parametrize(
    ("check", "name"),
    [
        (checked_location, "projects/example.com:p-1/locations/europe-west1"),
        (checked_queue, f"{LOCATION}/queues/{'q' * 100}"),
        (checked_task, f"{QUEUE}/tasks/{'t' * 500}"),
        (checked_task, f"{QUEUE}/tasks/Az09-_"),
    ],
)
def test_a_right_name_is_kept(check: Callable[[str], str], name: str) -> None:
    assert check(name) == name


def test_a_task_without_a_name_gets_one_of_digits_and_no_two_the_same() -> None:
    first, second = name_for_new_task("", QUEUE), name_for_new_task("", QUEUE)
    assert first != second
    assert short_id(first).isdigit()
    assert checked_task(first) == first


def test_a_named_task_must_be_in_the_queue_it_is_created_in() -> None:
    name = f"{QUEUE}/tasks/a"
    assert name_for_new_task(name, QUEUE) == name
    with pytest.raises(CloudTasksError, match="must be the same as the queue name in the named task"):
        name_for_new_task(name, f"{QUEUE}-other")


def test_parts_of_a_name() -> None:
    assert (queue_of(f"{QUEUE}/tasks/a"), short_id(f"{QUEUE}/tasks/a"), short_id(QUEUE)) == (QUEUE, "a", "ticks")
