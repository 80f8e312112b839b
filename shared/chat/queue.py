"""Protocols of the queues for jobs and ticks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.values.wake import Job, Wake


class JobQueue(Protocol):
    """Schedules calls of lull's functions."""

    async def enqueue(self, job: Job) -> None:
        """Schedule a job. A second job of the same name within an hour is dropped. Raises QueueUnavailable, or
        QueueRefused for a job that can never be enqueued.
        """


class TickQueue:
    """Schedules ticks."""

    def __init__(self, jobs: JobQueue) -> None:
        self.jobs = jobs

    async def enqueue(self, wake: Wake) -> None:
        """Schedule the tick that `wake` describes. A second one of the same name within an hour is dropped. Raises the
        errors of `JobQueue.enqueue`.
        """
        await self.jobs.enqueue(wake.job())
