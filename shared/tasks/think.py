"""`think`: a thought that the model writes before the tasks. It is parsed and thrown away."""

from typing import ClassVar, Literal

from pydantic import Field

from shared.tasks.task import Task
from shared.tasks.traits import TaskTraits


class Think(Task):
    """Think before you act; nobody reads it, and it is not kept."""

    traits: ClassVar[TaskTraits] = TaskTraits(order=0, is_kept=False, stays_in_chat=True, is_seen=False)

    kind: Literal["think"] = "think"
    text: str = Field(description="A short private note.")


TASK = Think
