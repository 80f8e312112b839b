"""`wait`: let time pass."""

from datetime import timedelta
from typing import ClassVar, Literal

from pydantic import Field

from shared.tasks.task import Task, TaskNote
from shared.tasks.traits import TaskTraits

#: Cloud Tasks schedules at most 30 days ahead (cloud.google.com/tasks/docs/quotas)
LONGEST_WAIT_SECONDS = 30 * 24 * 3600


class Wait(Task):
    """Let time pass before the tasks that depend on this one."""

    traits: ClassVar[TaskTraits] = TaskTraits(order=2, stays_in_chat=True, is_seen=False, ends_preview=True)

    kind: Literal["wait"] = "wait"
    seconds: int = Field(ge=0, le=LONGEST_WAIT_SECONDS, description="How long to wait.")

    def pause(self) -> timedelta:
        return timedelta(seconds=self.seconds)

    def pending(self, gone: int, left: timedelta | None) -> TaskNote:
        """Return a note for the model with the remaining time, if the wait has begun."""
        seconds = self.seconds if left is None else left.total_seconds()
        return TaskNote(f"wait {max(0, round(seconds))} seconds")

    def summary(self) -> str:
        return f"for {timedelta(seconds=self.seconds)}"


TASK = Wait
