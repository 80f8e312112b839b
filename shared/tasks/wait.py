"""`wait`: let time pass."""

from typing import Literal

from pydantic import Field

from shared.tasks.task import TaskBase

#: Cloud Tasks schedules at most 30 days ahead (cloud.google.com/tasks/docs/quotas)
LONGEST_WAIT_SECONDS = 30 * 24 * 3600


class Wait(TaskBase):
    """Let time pass before the tasks that depend on this one."""

    kind: Literal["wait"] = "wait"
    seconds: int = Field(ge=0, le=LONGEST_WAIT_SECONDS, description="How long to wait.")
