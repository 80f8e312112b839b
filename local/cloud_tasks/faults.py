"""Faults on demand: rare behaviour that Cloud Tasks is allowed to show."""

from dataclasses import replace
from enum import StrEnum

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from local.cloud_tasks.names import short_id


class TaskFaultKind(StrEnum):
    """The ways to fail."""

    TWICE = "twice"
    """The task is delivered twice at the same time."""
    LATE = "late"
    """The task goes out `seconds` after it was due."""
    REORDER = "reorder"
    """The next `times` tasks are held, then delivered one after the other, the last one first."""
    DROP_ANSWER = "drop_answer"
    """The handler's success is taken for no answer, so the task is tried again."""
    REFUSE_CREATE = "refuse_create"
    """CreateTask fails with UNAVAILABLE and creates nothing."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class TaskFault:
    """A fault that the next `times` tasks suffer whose short id begins with `name_prefix`.

    `seconds` is for "late" only.
    """

    kind: TaskFaultKind
    times: int = Field(default=1, ge=1)
    seconds: float = Field(default=1.0, ge=0)
    name_prefix: str = ""

    def strikes(self, kind: TaskFaultKind, task_name: str) -> bool:
        """Return whether it is the wanted fault, and applies to this task."""
        return self.kind is kind and short_id(task_name).startswith(self.name_prefix)


class TaskFaults:
    """The faults that are still to happen, the earliest added first."""

    def __init__(self) -> None:
        self._pending: list[TaskFault] = []

    def add(self, fault: TaskFault) -> None:
        """Let this happen too."""
        self._pending.append(fault)

    def clear(self) -> None:
        """Let none of them happen."""
        self._pending.clear()

    def pending(self) -> list[TaskFault]:
        """Return the faults that are still to happen; `times` counts the remaining ones."""
        return list(self._pending)

    def take(self, kind: TaskFaultKind, task_name: str) -> TaskFault | None:
        """The fault of that kind that this task suffers now, `times` counting it too; it is then used up by one."""
        for place, fault in enumerate(self._pending):
            if fault.strikes(kind, task_name):
                if fault.times == 1:
                    del self._pending[place]
                else:
                    self._pending[place] = replace(fault, times=fault.times - 1)
                return fault
        return None
