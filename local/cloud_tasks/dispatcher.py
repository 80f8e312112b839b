"""Sends tasks to their handlers when they are due, at least once, and stores the results."""

import asyncio
import logging
import ssl
import time
from collections import Counter
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass, replace
from typing import Any

import httpx
from grpc import StatusCode

from local.cloud_tasks.faults import TaskFaultKind, TaskFaults
from local.cloud_tasks.handler import call_handler
from local.cloud_tasks.journal import Journal
from local.cloud_tasks.lane import DueTimes
from local.cloud_tasks.names import queue_of, short_id
from local.cloud_tasks.outcome import AttemptOutcome, no_response
from local.cloud_tasks.queue import LocalQueue, retry_from_message
from local.cloud_tasks.retry import AttemptFailure, DropTask, RetryAt, RetryConfig, decide_retry
from local.cloud_tasks.store import TaskStore
from local.cloud_tasks.task import QueuedTask

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchTimes:
    """Durations that a test may shorten.

    A finished task's name cannot be reused for `tombstone_seconds`: about an hour on queues made by the API. (The
    published messages say "up to 24 hours"; the service's pages and its users say an hour.)
    """

    tombstone_seconds: float = 3600.0
    deadline_scale: float = 1.0


class TaskDispatcher:
    """Dispatches the tasks of all queues. Each queue has a lane (`DueTimes`), which decides when a task starts. Create
    and use the dispatcher inside one running event loop.
    """

    def __init__(self, store: TaskStore, faults: TaskFaults, journal: Journal, pace: DispatchTimes) -> None:
        """Open a lane (`DueTimes`) for each stored queue and schedule each stored task. Attempts that a killed server
        did not finish are repeated.
        """
        self._store = store
        self._faults = faults
        self._journal = journal
        self._pace = pace
        self._tls = ssl.create_default_context()
        self._jobs: set[asyncio.Task[None]] = set()
        self._under_way: Counter[str] = Counter()
        self._held: dict[str, list[str]] = {}
        self._excused: set[str] = set()
        self._lanes: dict[str, DueTimes] = {}
        for queue in store.queues():
            self.open_queue(queue)
        for name, at in store.schedule():
            self._lanes[queue_of(name)].schedule(name, at)

    async def warm_up(self, url: str) -> None:
        """Make one request to `url`, an address that answers. httpx loads its networking code at its first request,
        which takes 0.1 s; no task should have to wait for this.
        """
        async with httpx.AsyncClient(verify=self._tls, trust_env=False) as client:
            await client.get(url)

    def open_queue(self, queue: LocalQueue) -> None:
        """Begin to dispatch the tasks of a new queue."""
        self._lanes[queue.name] = DueTimes(queue, self._let_out, time.time)

    def change_queue(self, queue: LocalQueue) -> None:
        """Apply the queue's new limits, and its new state: whether it is paused."""
        self._lanes[queue.name].reconfigure(queue)

    def close_queue(self, name: str) -> None:
        """Remove the lane of a queue: no more attempts at the queue's tasks begin. Running attempts continue."""
        self._lanes.pop(name).close()

    def clear_queue(self, name: str) -> None:
        """Remove this queue's waiting tasks. Running attempts continue, but their results are ignored."""
        self._lanes[name].clear()

    def clear(self) -> None:
        """Remove all tasks that wait in any queue, and all tasks that a "reorder" fault holds. Running attempts
        continue.
        """
        self._held.clear()
        self._excused.clear()
        for lane in self._lanes.values():
            lane.clear()

    def schedule(self, task: QueuedTask) -> None:
        """Dispatch a stored task when it is due."""
        self._lanes[task.queue].schedule(task.name, task.schedule_at)

    def forget(self, task: QueuedTask) -> None:
        """Stop waiting for this task's due time. An attempt that is already running continues."""
        self._lanes[task.queue].forget(task.name)

    def run_now(self, task: QueuedTask) -> QueuedTask:
        """Dispatch a task at once, even if its queue is paused or has reached its limits. Return the task with this
        attempt counted.
        """
        self.forget(task)
        now = time.time()
        begun = replace(task, schedule_at=now).with_attempt(now)
        self._store.save_progress(begun)
        self._spawn(self._attempt_all(begun))
        return begun

    def release_held(self) -> None:
        """Release the tasks that "reorder" faults hold, each fault's tasks in reverse order."""
        for group in list(self._held):
            self._release(group)

    def is_under_way(self, name: str) -> bool:
        """Return whether an attempt at this task is running."""
        return self._under_way[name] > 0

    def is_held(self, name: str) -> bool:
        """Return whether a "reorder" fault holds this task."""
        return any(name in group for group in self._held.values())

    async def close(self, grace_seconds: float) -> None:
        """Begin no more attempts, wait for running ones up to `grace_seconds`, and abort the rest, which stay in the
        store.
        """
        for lane in self._lanes.values():
            lane.close()
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=grace_seconds)
        for job in self._jobs:
            job.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        job = asyncio.get_running_loop().create_task(work)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        return job

    def _let_out(self, name: str) -> asyncio.Task[None] | None:
        if name in self._excused:
            self._excused.discard(name)
        elif self._hold_back(name):
            return None
        return self._spawn(self._dispatch(name))

    def _hold_back(self, name: str) -> bool:
        if late := self._faults.take(TaskFaultKind.LATE, name):
            self._excused.add(name)
            self._lanes[queue_of(name)].schedule(name, time.time() + late.seconds)
            return True
        if reorder := self._faults.take(TaskFaultKind.REORDER, name):
            self._held.setdefault(reorder.name_prefix, []).append(name)
            if reorder.times == 1:
                self._release(reorder.name_prefix)
            return True
        return False

    def _release(self, group: str) -> None:
        self._spawn(self._dispatch_in_turn(reversed(self._held.pop(group))))

    async def _dispatch_in_turn(self, names: Iterable[str]) -> None:
        for name in names:
            await self._dispatch(name)

    async def _dispatch(self, name: str) -> None:
        task = self._store.task(name)
        if task is None:
            return
        begun = task.with_attempt(time.time())
        self._store.save_progress(begun)
        await self._attempt_all(begun)

    async def _attempt_all(self, begun: QueuedTask) -> None:
        self._under_way[begun.name] += 1
        try:
            twice = self._faults.take(TaskFaultKind.TWICE, begun.name)
            if twice is None:
                await self._attempt(begun, None)
            else:
                await asyncio.gather(*(self._attempt(begun, twice.kind) for _ in range(2)))
        finally:
            self._under_way[begun.name] -= 1
            if not self._under_way[begun.name]:
                del self._under_way[begun.name]

    async def _attempt(self, begun: QueuedTask, fault: TaskFaultKind | None) -> None:
        began = time.time()
        outcome = await call_handler(begun, self._tls, self._pace.deadline_scale)
        ended = time.time()
        drops = outcome.is_success and self._faults.take(TaskFaultKind.DROP_ANSWER, begun.name)
        self._journal.add(begun, outcome, (began, ended), TaskFaultKind.DROP_ANSWER if drops else fault)
        if drops:
            outcome = no_response(StatusCode.UNAVAILABLE, "the response was dropped by a fault")
        self._settle(begun, outcome, ended)

    def _settle(self, begun: QueuedTask, outcome: AttemptOutcome, at: float) -> None:
        task = self._store.task(begun.name)
        if task is None or task.uid != begun.uid:
            return  # in the meantime the task was deleted, purged, or finished by a second delivery
        if outcome.is_success:
            self._remove(task, at)
            return
        match decide_retry(self._retry_config(task), _failure(task, outcome, at)):
            case RetryAt(at=retry_at):
                failed = task.with_failure(outcome, at, retry_at)
                self._store.save_progress(failed)
                self.schedule(failed)
                log.info("%s: %s; retried in %.1f s", short_id(task.name), outcome.message, retry_at - at)
            case DropTask(reason=reason):
                self._remove(task, at)
                log.warning("%s: %s; deleted, because %s", short_id(task.name), outcome.message, reason)

    def _remove(self, task: QueuedTask, at: float) -> None:
        self._store.remove_task(task, at, at + self._pace.tombstone_seconds)
        self.forget(task)

    def _retry_config(self, task: QueuedTask) -> RetryConfig:
        asked = task.message()
        if asked.HasField("retry_config"):
            return retry_from_message(asked.retry_config)
        queue = self._store.queue(task.queue)
        return queue.retry if queue else RetryConfig()


def _failure(task: QueuedTask, outcome: AttemptOutcome, at: float) -> AttemptFailure:
    return AttemptFailure(
        at=at,
        attempts=task.progress.dispatch_count,
        created_at=task.created_at,
        first_dispatch_at=task.progress.first_dispatch_at,
        retry_after=outcome.retry_after,
    )
