"""`revoke`: take back what was promised before. It has its effect when the plan takes the place of the one before."""

from datetime import timedelta
from typing import ClassVar, Literal

from pydantic import Field

from shared.tasks.task import Task
from shared.tasks.traits import TaskTraits


class Revoke(Task):
    """Take back what was promised before, with all that was to follow it."""

    traits: ClassVar[TaskTraits] = TaskTraits(order=4, stays_in_chat=True, is_seen=False)

    kind: Literal["revoke"] = "revoke"
    task_id: str = Field(description="The id of what is promised, as the end of the prompt names it.")

    @property
    def takes_back(self) -> str:
        """Its id, as the prompt spelled it."""
        return self.task_id.strip().lower()

    def pause(self) -> timedelta:
        """None: it is over once it is reached."""
        return timedelta()

    def summary(self) -> str:
        """What is taken back."""
        return self.task_id


TASK = Revoke
