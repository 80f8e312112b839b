"""The lane of one queue: holds the queue's tasks in the order of their due times, and starts them as fast as the
queue's limits allow.

Nothing here polls. The lane acts when a task is scheduled or finished, when the queue is changed, and when the lane's
timer runs out. The timer is set for the next time at which a task may start.
"""

import asyncio
import heapq
from collections.abc import Callable
from itertools import count

from local.cloud_tasks.queue import LocalQueue
from local.cloud_tasks.rate import TokenBucket

_LONGEST_TIMER_SECONDS = 30.0
"""Limit of a timer: after a machine has slept, its clock is ahead of its timers, so the clock is checked this often."""


class DueTimes:
    """The due times of the tasks that wait in one queue. When a task may start, `start` is called with the task's
    name.
    """

    def __init__(
        self,
        queue: LocalQueue,
        start: Callable[[str], asyncio.Task[None] | None],
        now: Callable[[], float],
    ) -> None:
        """Create a lane. `start` begins an attempt at a task and returns the attempt, or None if the task is held
        back. A task that is held back leaves the lane, and does not count towards the queue's rate.
        """
        self._queue = queue
        self._start = start
        self._now = now
        self._bucket = TokenBucket.full(queue.rate_limits, now())
        self._due: list[tuple[float, int, str]] = []
        self._entries: dict[str, int] = {}
        self._order = count()
        self._running = 0
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._pumping = False
        self._closed = False

    def schedule(self, name: str, at: float) -> None:
        """Start the task at the time `at` (epoch seconds). This replaces the time for which the task was scheduled
        before, if any.
        """
        entry = next(self._order)
        self._entries[name] = entry
        heapq.heappush(self._due, (at, entry, name))
        self.pump()

    def forget(self, name: str) -> None:
        """Remove a task, so that it is not started."""
        self._entries.pop(name, None)
        if len(self._due) > 2 * len(self._entries) + 1000:
            self._due = [due for due in self._due if self._is_live(due)]
            heapq.heapify(self._due)

    def clear(self) -> None:
        """Remove all waiting tasks."""
        self._due.clear()
        self._entries.clear()

    def reconfigure(self, queue: LocalQueue) -> None:
        """Use the queue's new settings. Dispatches of the recent past still count towards the rate."""
        if queue.rate_limits != self._queue.rate_limits:
            spent = self._bucket.size - self._bucket.refill(self._now()).tokens
            full = TokenBucket.full(queue.rate_limits, self._now())
            self._bucket = full.without(spent)
        self._queue = queue
        self.pump()

    def close(self) -> None:
        """Start no more tasks."""
        self._closed = True
        self._stop_timer()

    def pump(self) -> None:
        """Start the tasks that may start now, and set the timer for the next one."""
        if self._pumping:
            return  # `start` scheduled a task, which the loop below handles
        self._pumping = True
        try:
            while (name := self._next_ready()) is not None:
                self._let_out(name)
        finally:
            self._pumping = False
        self._set_timer()

    def _let_out(self, name: str) -> None:
        running = self._start(name)
        if running is not None:
            self._bucket = self._bucket.take()
            self._running += 1
            running.add_done_callback(self._on_finish)

    def _next_ready(self) -> str | None:
        now = self._now()
        self._bucket = self._bucket.refill(now)
        if not self._may_dispatch() or not self._bucket.has_token():
            return None
        self._drop_stale()
        if not self._due or self._due[0][0] > now:
            return None
        name = heapq.heappop(self._due)[2]
        del self._entries[name]
        return name

    def _may_dispatch(self) -> bool:
        has_slot = self._running < self._queue.rate_limits.max_concurrent_dispatches
        return has_slot and self._queue.is_running and not self._closed

    def _drop_stale(self) -> None:
        while self._due and not self._is_live(self._due[0]):
            heapq.heappop(self._due)

    def _is_live(self, due: tuple[float, int, str]) -> bool:
        _, entry, name = due
        return self._entries.get(name) == entry

    def _on_finish(self, _: asyncio.Task[None]) -> None:
        self._running -= 1
        self.pump()

    def _set_timer(self) -> None:
        self._drop_stale()
        if not self._may_dispatch() or not self._due:
            self._stop_timer()
            return
        at = self._due[0][0]
        if not self._bucket.has_token():
            at = max(at, self._bucket.next_token_at())
        if self._timer is not None and self._timer_at == at:
            return
        self._stop_timer()
        wait = min(max(at - self._now(), 0.0), _LONGEST_TIMER_SECONDS)
        self._timer, self._timer_at = asyncio.get_running_loop().call_later(wait, self._timer_ran), at

    def _timer_ran(self) -> None:
        self._timer = None
        self.pump()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
