"""`revoke`: cancel a message that an earlier plan promised, as soon as the new plan replaces the earlier one."""

from datetime import timedelta
from typing import ClassVar, Literal

from pydantic import Field

from shared.tasks.task import Task
from shared.tasks.traits import TaskTraits


class Revoke(Task):
    """Take back what was promised before, with all that was to follow it."""

    traits: ClassVar[TaskTraits] = TaskTraits(order=4, stays_in_chat=True, is_seen=False)

    kind: Literal["revoke"] = "revoke"
    task_id: str = Field(description="The id of the planned task, as listed at the end of the prompt.")

    @property
    def takes_back(self) -> str:
        """The id of the promised message's task, in the spelling that the prompt uses."""
        return self.task_id.strip().lower()

    def pause(self) -> timedelta:
        return timedelta()

    def summary(self) -> str:
        return self.task_id


TASK = Revoke
