"""Every Bot API call that was served, for tests and benchmarks to read."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class LoggedCall:
    """One call: its parameters with files replaced by their sizes, and how it ended. `at` in epoch seconds."""

    n: int
    bot_id: int
    method: str
    params: Mapping[str, Any]
    status: int
    ok: bool
    description: str | None
    at: float


class CallLog:
    """The last calls, numbered from 1 in the order in which they were answered."""

    def __init__(self, capacity: int) -> None:
        self._calls: deque[LoggedCall] = deque(maxlen=capacity)
        self._count = 0

    def next_number(self) -> int:
        """The number of the call that was just answered."""
        self._count += 1
        return self._count

    def add(self, call: LoggedCall) -> None:
        """Remember a call."""
        self._calls.append(call)

    def after(self, n: int, method: str = "") -> list[LoggedCall]:
        """The calls that are still remembered and have a higher number; of one method, if it is given."""
        return [call for call in self._calls if call.n > n and method in ("", call.method)]
