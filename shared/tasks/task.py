"""A task: one act on the world in a plan."""

from pydantic import BaseModel, ConfigDict


class TaskBase(BaseModel):
    """What every task has: its name in the graph, and the tasks that must be done before it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = ""
    depends_on: tuple[str, ...] = ()


def own_task_id(update_id: int) -> str:
    """The id of the task with which lull itself answers an update: a command, or a press."""
    return f"own-{update_id}"
