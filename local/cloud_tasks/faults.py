"""Faults on demand: a test can cause behaviour that the real Cloud Tasks shows rarely."""

from dataclasses import replace
from enum import StrEnum

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from local.cloud_tasks.names import short_id


class TaskFaultKind(StrEnum):
    """The ways in which this server can misbehave on demand."""

    TWICE = "twice"
    """The task is delivered twice at the same time."""
    LATE = "late"
    """The task is dispatched `seconds` after it was due."""
    REORDER = "reorder"
    """The next `times` tasks are held, then delivered one after the other, the last one first."""
    DROP_ANSWER = "drop_answer"
    """The handler's successful response is treated as a missing one, so the task is retried."""
    REFUSE_CREATE = "refuse_create"
    """CreateTask fails with UNAVAILABLE and creates nothing."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class TaskFault:
    """A fault for the next `times` tasks whose short id begins with `name_prefix`.

    `seconds` is used only by faults of kind "late".
    """

    kind: TaskFaultKind
    times: int = Field(default=1, ge=1)
    seconds: float = Field(default=1.0, ge=0)
    name_prefix: str = ""

    def strikes(self, kind: TaskFaultKind, task_name: str) -> bool:
        """Return whether this fault is of this kind and applies to the task."""
        return self.kind is kind and short_id(task_name).startswith(self.name_prefix)


class TaskFaults:
    """The pending faults, in the order in which they were added."""

    def __init__(self) -> None:
        self._pending: list[TaskFault] = []

    def add(self, fault: TaskFault) -> None:
        """Append a fault to the pending ones."""
        self._pending.append(fault)

    def clear(self) -> None:
        """Remove all faults."""
        self._pending.clear()

    def pending(self) -> list[TaskFault]:
        """Return the pending faults. A fault's `times` is the number of tasks that it will still affect."""
        return list(self._pending)

    def take(self, kind: TaskFaultKind, task_name: str) -> TaskFault | None:
        """Return the first pending fault of this kind that applies to the task, and reduce the fault's `times` by one.
        Return None if there is no such fault.
        """
        for place, fault in enumerate(self._pending):
            if fault.strikes(kind, task_name):
                if fault.times == 1:
                    del self._pending[place]
                else:
                    self._pending[place] = replace(fault, times=fault.times - 1)
                return fault
        return None
