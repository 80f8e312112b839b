"""A plan: a graph of tasks, each one act on the world, with the state of each."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from shared.models.channel import Button
from shared.models.delivery import Delivery
from shared.models.usage import ModelCall

#: Cloud Tasks schedules at most 30 days ahead (cloud.google.com/tasks/docs/quotas)
LONGEST_WAIT_SECONDS = 30 * 24 * 3600


class TaskBase(BaseModel):
    """What every task has: its name in the graph, and the tasks that must be done before it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = ""
    depends_on: tuple[str, ...] = ()


class Send(TaskBase):
    """Write a message: markdown, of any length."""

    kind: Literal["send"] = "send"
    text: str = Field(min_length=1, description="What to write, in markdown.")
    reply_to: int | None = Field(default=None, description="The message_id to quote; leave it out to quote none.")


class Wait(TaskBase):
    """Let time pass before the tasks that depend on this one."""

    kind: Literal["wait"] = "wait"
    seconds: int = Field(ge=0, le=LONGEST_WAIT_SECONDS, description="How long to wait.")


class React(TaskBase):
    """Put an emoji on a message."""

    kind: Literal["react"] = "react"
    emoji: str = Field(min_length=1, max_length=16, description="One emoji that Telegram allows as a reaction.")
    message_id: int = Field(description="The message to react to.")


Task: TypeAlias = Annotated[Send | Wait | React, Field(discriminator="kind")]


class Notice(TaskBase):
    """Answer the press of a button: until then it is shown as waiting. lull's own; no model plans it."""

    kind: Literal["notice"] = "notice"
    query_id: str
    #: shown to the person who pressed, for a moment; at most 200 characters (core.telegram.org/bots/api)
    text: str = ""


class Rewrite(TaskBase):
    """Write a message of the agent's anew. lull's own; no model plans it."""

    kind: Literal["rewrite"] = "rewrite"
    message_id: int
    text: str


OwnTask: TypeAlias = Send | Notice | Rewrite


def own_task_id(update_id: int) -> str:
    """The id of the task with which lull itself answers an update: a command, or a press."""
    return f"own-{update_id}"


class TaskState(StrEnum):
    """What became of a task; everything but `planned` is final."""

    PLANNED = "planned"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class PlannedTask(BaseModel):
    """A task and how far it got."""

    model_config = ConfigDict(frozen=True)

    task: Annotated[Send | Wait | React | Notice | Rewrite, Field(discriminator="kind")]
    #: below the last message of a text, one in a row; only lull's own words have any
    buttons: tuple[Button, ...] = ()
    state: TaskState = TaskState.PLANNED
    tries: int = 0
    #: lull's own words (a command's answer, an apology): no new plan replaces them, and they are never apologised for
    is_own: bool = False
    #: whether somebody has been seen typing it: done once, however often people interrupt
    is_typed: bool = False
    #: not before this moment: a wait's end, a retry, a flood wait
    not_before: datetime | None = None
    deliveries: tuple[Delivery, ...] = ()
    #: why it failed or was cancelled
    why: str = ""

    @property
    def is_open(self) -> bool:
        """Whether there is still something to do for it."""
        return self.state is TaskState.PLANNED


class Plan(BaseModel):
    """The one plan of a chat: a new one replaces the unsent tasks of the old."""

    model_config = ConfigDict(frozen=True)

    id: str
    created_at: datetime
    tasks: tuple[PlannedTask, ...]
    #: the messages that this plan answers
    answers: tuple[int, ...] = ()
    #: what was left out of the model's reply or went wrong, in plain sentences
    notes: tuple[str, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    #: W3C trace id of the tick that made it
    trace: str = ""
    #: how many plans for the same people were replaced before anything of them was sent
    replans: int = 0
    #: the plan that took its place while something of it was still unsent
    replaced_by: str = ""

    @property
    def is_open(self) -> bool:
        """Whether any task is still to be done."""
        return any(t.is_open for t in self.tasks)

    @property
    def is_begun(self) -> bool:
        """Whether any call of what the model planned was made."""
        return any(d.attempted_at is not None for t in self.tasks if not t.is_own for d in t.deliveries)
