"""The queues of jobs and of wakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.values.wake import Job, Wake


class JobQueue(Protocol):
    """Has functions called later."""

    async def enqueue(self, job: Job) -> None:
        """Have a function called; a job of the same name in the last hour is enough.

        Raises QueueUnavailable, or QueueRefused for what can never be enqueued as it is.
        """


class TickQueue:
    """The queue of jobs, for wakes alone."""

    def __init__(self, jobs: JobQueue) -> None:
        """`jobs` takes them."""
        self.jobs = jobs

    async def enqueue(self, wake: Wake) -> None:
        """Have a tick run; a wake of the same name in the last hour is enough. Raises as JobQueue does."""
        await self.jobs.enqueue(wake.job())
