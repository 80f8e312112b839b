"""The calls of the API. Each takes a request message and returns the response message, or raises CloudTasksError."""

import time
from dataclasses import dataclass, replace
from typing import Any

import grpc
from google.cloud.tasks_v2.types import ListQueuesResponse, ListTasksResponse
from google.protobuf.empty_pb2 import Empty

from local.cloud_tasks import errors
from local.cloud_tasks.creation import new_task
from local.cloud_tasks.dispatcher import DispatchTimes, TaskDispatcher
from local.cloud_tasks.faults import TaskFaultKind, TaskFaults
from local.cloud_tasks.names import checked_location, checked_queue, checked_task, queue_of
from local.cloud_tasks.paging import first_after, page_length, page_of
from local.cloud_tasks.queue import LocalQueue, QueueState, queue_from_message, queue_message, updated_queue
from local.cloud_tasks.store import TaskStore
from local.cloud_tasks.task import QueuedTask, task_message

MOST_QUEUES_ON_A_PAGE = 9800
MOST_TASKS_ON_A_PAGE = 1000
QUEUE_TOMBSTONE_SECONDS = 7 * 24 * 3600
"""The time for which a deleted queue's name cannot be used (the service's quotas page)."""


@dataclass(frozen=True, slots=True)
class LocalCloudTasks:
    """The service `google.cloud.tasks.v2.CloudTasks`, without IAM, CMEK and batches."""

    store: TaskStore
    dispatcher: TaskDispatcher
    faults: TaskFaults
    pace: DispatchTimes

    def create_task(self, request: Any) -> Any:
        """CreateTask: stores a task, then returns it. The task may already be running by then."""
        if self.faults.take(TaskFaultKind.REFUSE_CREATE, request.task.name):
            raise errors.CloudTasksError(grpc.StatusCode.UNAVAILABLE, "a test asked to refuse this CreateTask")
        queue, now = checked_queue(request.parent), time.time()
        task = new_task(request.task, queue, now)
        self._queue(queue)
        if self.store.is_buried(task.name, now):
            raise errors.task_existed()
        stored = self.store.add_task(task)
        if stored is None:
            raise errors.task_exists()
        self.dispatcher.schedule(stored)
        return task_message(stored, request.response_view)

    def get_task(self, request: Any) -> Any:
        """GetTask: returns one task."""
        return task_message(self._task(request.name), request.response_view)

    def list_tasks(self, request: Any) -> Any:
        """ListTasks: returns a queue's tasks in the order of their names."""
        queue = self._queue(checked_queue(request.parent))
        length = page_length(request.page_size, MOST_TASKS_ON_A_PAGE)
        found = self.store.tasks(queue.name, first_after(request.page_token), length + 1)
        page = page_of(found, length, lambda task: task.name)
        tasks = [task_message(task, request.response_view) for task in page.items]
        return ListTasksResponse.pb()(tasks=tasks, next_page_token=page.next_token)

    def delete_task(self, request: Any) -> Any:
        """DeleteTask: deletes one task. A running attempt continues, but its result is ignored."""
        task, now = self._task(request.name), time.time()
        self.store.remove_task(task, now, now + self.pace.tombstone_seconds)
        self.dispatcher.forget(task)
        return Empty()

    def run_task(self, request: Any) -> Any:
        """RunTask: starts an attempt at once, and returns the task with this attempt counted."""
        return task_message(self.dispatcher.run_now(self._task(request.name)), request.response_view)

    def create_queue(self, request: Any) -> Any:
        """CreateQueue: stores a new queue and starts to dispatch its tasks."""
        parent, queue = checked_location(request.parent), queue_from_message(request.queue)
        if not queue.name.startswith(f"{parent}/queues/"):
            raise errors.invalid(f"{queue.name} must begin with {parent}.")
        if self.store.queue(queue.name):
            raise errors.queue_exists()
        return self._make_queue(queue)

    def update_queue(self, request: Any) -> Any:
        """UpdateQueue: changes a queue's settings, or creates the queue if none has this name."""
        name = checked_queue(request.queue.name)
        before = self.store.queue(name)
        if before is None:
            return self._make_queue(queue_from_message(request.queue))
        return self._change_queue(updated_queue(before, request.queue, request.update_mask))

    def get_queue(self, request: Any) -> Any:
        """GetQueue: returns the settings and state of one queue."""
        return queue_message(self._queue(checked_queue(request.name)))

    def list_queues(self, request: Any) -> Any:
        """ListQueues: returns queues in the order of their names. Filters are not supported."""
        if request.filter:
            raise errors.not_served("filters of ListQueues")
        parent, after = checked_location(request.parent), first_after(request.page_token)
        length = page_length(request.page_size, MOST_QUEUES_ON_A_PAGE)
        found = [queue for queue in self.store.queues() if queue.name.startswith(f"{parent}/queues/")]
        page = page_of([queue for queue in found if queue.name > after], length, lambda queue: queue.name)
        queues = [queue_message(queue) for queue in page.items]
        return ListQueuesResponse.pb()(queues=queues, next_page_token=page.next_token)

    def delete_queue(self, request: Any) -> Any:
        """DeleteQueue: deletes a queue with all its tasks. The queue's name cannot be reused for a while."""
        name, now = checked_queue(request.name), time.time()
        if self.store.queue(name) is None:
            raise errors.entity_missing()
        self.dispatcher.close_queue(name)
        self.store.purge(name, now + self.pace.tombstone_seconds)
        self.store.remove_queue(name, now + QUEUE_TOMBSTONE_SECONDS)
        return Empty()

    def purge_queue(self, request: Any) -> Any:
        """PurgeQueue: deletes all tasks of a queue at once. The real service may need a minute."""
        queue, now = self._queue(checked_queue(request.name)), time.time()
        self.dispatcher.clear_queue(queue.name)
        self.store.purge(queue.name, now + self.pace.tombstone_seconds)
        return self._change_queue(replace(queue, purged_at=now))

    def pause_queue(self, request: Any) -> Any:
        """PauseQueue: starts no more attempts at the queue's tasks. Running attempts continue."""
        return self._set_state(request.name, QueueState.PAUSED)

    def resume_queue(self, request: Any) -> Any:
        """ResumeQueue: starts the queue's due tasks, as fast as its limits allow."""
        return self._set_state(request.name, QueueState.RUNNING)

    def lose_tasks(self) -> int:
        """Delete every task and every remembered name, but not the queues. Return the number of deleted tasks. This is
        not a call of the API.
        """
        self.dispatcher.clear()
        return self.store.forget_tasks()

    def _set_state(self, name: str, state: QueueState) -> Any:
        return self._change_queue(replace(self._queue(checked_queue(name)), state=state))

    def _make_queue(self, queue: LocalQueue) -> Any:
        if self.store.is_buried(queue.name, time.time()):
            raise errors.queue_existed()
        queue = replace(queue, state=QueueState.RUNNING, purged_at=None)
        self.store.save_queue(queue)
        self.dispatcher.open_queue(queue)
        return queue_message(queue)

    def _change_queue(self, queue: LocalQueue) -> Any:
        self.store.save_queue(queue)
        self.dispatcher.change_queue(queue)
        return queue_message(queue)

    def _queue(self, name: str) -> LocalQueue:
        queue = self.store.queue(name)
        if queue is None:
            raise errors.queue_missing()
        return queue

    def _task(self, name: str) -> QueuedTask:
        task = self.store.task(checked_task(name))
        if task is not None:
            return task
        self._queue(queue_of(name))
        raise errors.task_gone() if self.store.is_buried(name, time.time()) else errors.entity_missing()
