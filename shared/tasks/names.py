"""Ids of lull's own tasks, and the JSON of a task that is stored with its message."""

import json

from shared.tasks.task import Task

_COMMAND, _APOLOGY, _SOFT, _LIMIT = "own-", "apology-", "soft-", "limit-"


def command_task_id(update_id: int) -> str:
    """Return the id of the task that answers a command or a button press."""
    return f"{_COMMAND}{update_id}"


def apology_task_id(update_id: int) -> str:
    """Return the id of the task that tells people that an update gets no answer."""
    return f"{_APOLOGY}{update_id}"


def soft_task_id(update_id: int) -> str:
    """Return the id of the task that tells people that a cheaper model answers."""
    return f"{_SOFT}{update_id}"


def limit_task_id(message_id: int) -> str:
    """Return the id of the task that tells a person that they reached a limit."""
    return f"{_LIMIT}{message_id}"


def answers_command(task_id: str) -> bool:
    """Return whether a task answers a command or a button press."""
    return task_id.startswith(_COMMAND)


def as_planned(task: Task) -> str:
    """Return a task as the JSON that is stored with its message."""
    return json.dumps(task.model_dump(exclude={"id", "depends_on"}, exclude_none=True), ensure_ascii=False)
