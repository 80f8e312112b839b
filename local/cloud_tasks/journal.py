"""A log of dispatches in memory, for tests and benchmarks. Each attempt that has ended is one entry."""

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

from local.cloud_tasks.faults import TaskFaultKind
from local.cloud_tasks.outcome import AttemptOutcome
from local.cloud_tasks.task import QueuedTask

KEPT = 50_000
"""Number of attempts in memory; older ones are deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatch:
    """One attempt that has ended.

    `n` is the attempt's number: attempts are numbered from 1 in the order in which they end. `at` is the start in epoch
    seconds, `ms` the duration in milliseconds. `status` is the handler's HTTP status, or None if there was no response.
    `outcome` describes the result.
    """

    n: int
    queue: str
    name: str
    at: float
    ms: float
    status: int | None
    outcome: str
    attempt: int
    fault: str | None


class Journal:
    """The latest attempts, in the order in which they ended."""

    def __init__(self) -> None:
        self._dispatches: deque[Dispatch] = deque(maxlen=KEPT)
        self._numbers = count(1)
        self._grown = asyncio.Event()

    def add(
        self, task: QueuedTask, outcome: AttemptOutcome, sent: tuple[float, float], fault: TaskFaultKind | None
    ) -> None:
        """Add an attempt. `sent`: its start and its end in epoch seconds; `fault`: the kind of fault that affected it,
        if any.
        """
        began, ended = sent
        dispatch = Dispatch(
            n=next(self._numbers),
            queue=task.queue,
            name=task.name,
            at=began,
            ms=round((ended - began) * 1000, 3),
            status=outcome.http_status,
            outcome=outcome.message,
            attempt=task.progress.dispatch_count,
            fault=fault.value if fault else None,
        )
        self._dispatches.append(dispatch)
        self._grown.set()
        self._grown = asyncio.Event()

    async def wait_for_more(self, n: int, most_seconds: float) -> None:
        """Return once an attempt has a number above `n`, or after `most_seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(most_seconds):
                while not self._dispatches or self._dispatches[-1].n <= n:
                    await self._grown.wait()

    def after(self, n: int) -> list[dict[str, Any]]:
        """Return the attempts numbered above `n`, as JSON objects."""
        return [asdict(dispatch) for dispatch in self._dispatches if dispatch.n > n]
