from dataclasses import replace
from pathlib import Path

import pytest

from local.cloud_tasks.creation import new_task
from local.cloud_tasks.errors import DataInUse
from local.cloud_tasks.outcome import response
from local.cloud_tasks.queue import LocalQueue, QueueState
from local.cloud_tasks.store import TaskStore
from local.cloud_tasks.task import QueuedTask, TaskMessage
from tests.local.cloud_tasks.cloud import QUEUE

NOW = 1_800_000_000.0


def made(task_id: str) -> QueuedTask:
    """Make a task of the queue without storing it."""
    wanted = TaskMessage(name=f"{QUEUE}/tasks/{task_id}", http_request={"url": "http://x.example", "body": b"b"})
    return new_task(wanted, QUEUE, NOW)


def stored(store: TaskStore, task_id: str) -> QueuedTask:
    """Make and store a task of the queue."""
    task = store.add_task(made(task_id))
    assert task is not None
    return task


def test_a_name_is_taken_once() -> None:
    store = TaskStore()
    assert store.add_task(made("a")) is not None
    assert store.add_task(made("a")) is None
    store.close()


def test_everything_is_there_after_opening_again(tmp_path: Path) -> None:
    store = TaskStore(tmp_path)
    store.save_queue(LocalQueue(name=QUEUE, state=QueueState.PAUSED))
    failed = stored(store, "a").with_attempt(NOW).with_failure(response(500), NOW + 1, NOW + 2)
    store.save_progress(failed)
    store.remove_task(stored(store, "b"), NOW, NOW + 3600)
    store.close()
    again = TaskStore(tmp_path)
    assert again.queues() == [LocalQueue(name=QUEUE, state=QueueState.PAUSED)]
    assert again.task(failed.name) == failed
    assert list(again.schedule()) == [(failed.name, NOW + 2)]
    assert again.is_buried(f"{QUEUE}/tasks/b", NOW + 3599)
    assert not again.is_buried(f"{QUEUE}/tasks/b", NOW + 3600)
    again.close()


def test_a_second_server_cannot_open_the_same_directory(tmp_path: Path) -> None:
    store = TaskStore(tmp_path)
    with pytest.raises(DataInUse, match=tmp_path.name):
        TaskStore(tmp_path)
    store.close()
    TaskStore(tmp_path).close()


def test_tasks_are_listed_by_name_in_pages() -> None:
    store = TaskStore()
    for task_id in ("c", "a", "b"):
        stored(store, task_id)
    assert [task.name[-1] for task in store.tasks(QUEUE)] == ["a", "b", "c"]
    assert [task.name[-1] for task in store.tasks(QUEUE, f"{QUEUE}/tasks/a", 1)] == ["b"]
    assert store.tasks(f"{QUEUE}2") == []
    store.close()


def test_a_purge_removes_and_buries_what_is_in_the_queue() -> None:
    store = TaskStore()
    stored(store, "a")
    store.purge(QUEUE, NOW + 60)
    assert store.tasks(QUEUE) == []
    assert store.is_buried(f"{QUEUE}/tasks/a", NOW)
    store.close()


def test_forgetting_leaves_no_task_and_no_name() -> None:
    store = TaskStore()
    store.remove_task(stored(store, "a"), NOW, NOW + 60)
    stored(store, "b")
    assert store.forget_tasks() == 1
    assert not store.is_buried(f"{QUEUE}/tasks/a", NOW)
    store.close()


def test_a_later_task_of_the_same_name_is_another() -> None:
    store = TaskStore()
    first = stored(store, "a")
    store.remove_task(first, NOW, NOW)
    second = stored(store, "a")
    assert second.uid != first.uid
    store.save_progress(replace(first, schedule_at=NOW + 99))
    assert store.task(second.name) == second
    store.close()


def test_expired_names_are_swept_out_as_others_come_in() -> None:
    store = TaskStore()
    store.remove_task(stored(store, "a"), NOW, NOW + 1)
    store.remove_task(stored(store, "b"), NOW + 5, NOW + 60)
    assert not store.is_buried(f"{QUEUE}/tasks/a", NOW)
    assert store.is_buried(f"{QUEUE}/tasks/b", NOW)
    store.close()


def test_a_removed_queue_leaves_its_name_taken() -> None:
    store = TaskStore()
    store.save_queue(LocalQueue(name=QUEUE))
    store.remove_queue(QUEUE, NOW + 60)
    assert store.queue(QUEUE) is None
    assert store.is_buried(QUEUE, NOW)
    store.close()
