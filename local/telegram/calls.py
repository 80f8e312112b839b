"""A log of all Bot API calls, for tests and benchmarks."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class LoggedCall:
    """One call: its parameters with files replaced by their sizes, and its result. `at` is in epoch seconds."""

    n: int
    bot_id: int
    method: str
    params: Mapping[str, Any]
    status: int
    ok: bool
    description: str | None
    at: float


class CallLog:
    """The latest calls, numbered from 1 in the order in which they were answered."""

    def __init__(self, capacity: int) -> None:
        self._calls: deque[LoggedCall] = deque(maxlen=capacity)
        self._count = 0

    def next_number(self) -> int:
        """Return the number for a new call: one more than the last number."""
        self._count += 1
        return self._count

    def add(self, call: LoggedCall) -> None:
        """Add a call. If the log is full, the oldest call is dropped."""
        self._calls.append(call)

    def after(self, n: int, method: str = "") -> list[LoggedCall]:
        """Return the stored calls whose number is higher than `n`. If `method` is given, return only calls of that
        method.
        """
        return [call for call in self._calls if call.n > n and method in ("", call.method)]
