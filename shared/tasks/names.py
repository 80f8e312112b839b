"""The ids of lull's own tasks, and how a task of the model's is kept with the message that it made."""

import json

from shared.tasks.task import Task

_COMMAND, _APOLOGY, _SOFT, _LIMIT = "own-", "apology-", "soft-", "limit-"


def command_task_id(update_id: int) -> str:
    """The id of the task with which lull answers a command, or a press."""
    return f"{_COMMAND}{update_id}"


def apology_task_id(update_id: int) -> str:
    """The id of the task with which lull says, beside a plan that goes on, that there is no answer to an update."""
    return f"{_APOLOGY}{update_id}"


def soft_task_id(update_id: int) -> str:
    """The id of the task with which lull says, beside an answer, that a smaller model thinks for it."""
    return f"{_SOFT}{update_id}"


def limit_task_id(message_id: int) -> str:
    """The id of the task with which lull says, beside an answer to others, that somebody is past a limit."""
    return f"{_LIMIT}{message_id}"


def answers_command(task_id: str) -> bool:
    """Whether a task is lull's answer to a command, or to a press."""
    return task_id.startswith(_COMMAND)


def as_planned(task: Task) -> str:
    """A task as JSON, as it is kept with the message that it made."""
    return json.dumps(task.model_dump(exclude={"id", "depends_on"}, exclude_none=True), ensure_ascii=False)
