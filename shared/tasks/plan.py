"""A plan: a graph of tasks, each one act on the world, with the state of each and of its deliveries."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, SerializeAsAny

from shared.base.model_call import ModelCall
from shared.tasks.registry import stored_task
from shared.tasks.task import Task
from shared.values.channel import Button
from shared.values.origin import ConversationSpan
from shared.values.tool_use import ToolUse


class DeliveryState(StrEnum):
    """planned → attempted → confirmed, refused or unknown; attempted is written before the call leaves."""

    PLANNED = "planned"
    ATTEMPTED = "attempted"
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class Delivery(BaseModel):
    """One call: which part of its task it carries, and what became of it.

    Telegram has no idempotency key: an attempted delivery without an answer is `unknown` and is never sent again.
    """

    model_config = ConfigDict(frozen=True)

    #: 0 for the first part of a text that is longer than one message
    part: int
    #: the Bot API's method
    method: str
    state: DeliveryState = DeliveryState.PLANNED
    #: whether its words leave without entities and preview, since Telegram refused those
    is_plain: bool = False
    message_ids: tuple[int, ...] = ()
    #: why it was refused or is unknown; never a text of a person or a token
    why: str = ""
    attempted_at: datetime | None = None


class TaskState(StrEnum):
    """What became of a task; everything but `planned` is final."""

    PLANNED = "planned"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class TaskOrigin(BaseModel):
    """Where a kept task comes from: the plan that made it, which another has replaced since."""

    model_config = ConfigDict(frozen=True)

    plan: str
    #: the task's id there
    task: str
    #: the messages that the plan answered
    answers: tuple[int, ...] = ()
    #: the channel's post among whose comments the plan answers; 0: none
    thread: int = 0


class PlannedTask(BaseModel):
    """A task and how far it got."""

    model_config = ConfigDict(frozen=True)

    task: Annotated[SerializeAsAny[Task], BeforeValidator(stored_task)]
    #: below the last message of a text, one in a row: lull's own, or the choices of the task once it leaves
    buttons: tuple[Button, ...] = ()
    state: TaskState = TaskState.PLANNED
    tries: int = 0
    #: lull's own words (a command's answer, an apology): no new plan replaces them, and they are never apologised for
    is_own: bool = False
    #: of lull's own: the command whose answer it is, where one answer is enough for each person; else empty
    once: str = ""
    #: of lull's own: the run of the export of which its message tells how far it is; else empty
    shows: str = ""
    #: the ids of the people whose messages its plan answers; of lull's own, of whom one answer is enough for
    people: tuple[int, ...] = ()
    #: whether its plan was made from text from outside: then what reaches further waits for a tap
    saw_outside: bool = False
    #: whether that was only what the agent itself had said after it had seen such text
    is_derived: bool = False
    #: the files, by unique id, that alone may mark what it says: nobody had looked whether text stands in them
    unseen: tuple[str, ...] = ()
    #: the addresses in its plan's words that people had written, or that a tool had found; others the model made up
    known_links: tuple[str, ...] = ()
    #: the messages of other conversations that its words may be made of
    elsewhere: tuple[ConversationSpan, ...] = ()
    #: of what was promised before, and goes on in this plan
    kept_from: TaskOrigin | None = None
    #: whether somebody has been seen typing it: done once, however often people interrupt
    is_typed: bool = False
    #: whether what it sends is looked up anew, since Telegram did not know the file
    is_anew: bool = False
    #: not before this moment: a wait's end, a retry, a flood wait
    not_before: datetime | None = None
    deliveries: tuple[Delivery, ...] = ()
    #: why it failed or was cancelled
    why: str = ""

    @property
    def is_open(self) -> bool:
        """Whether there is still something to do for it."""
        return self.state is TaskState.PLANNED

    @property
    def is_marked(self) -> bool:
        """Whether what it says counts as text from outside: its plan was shown such a text itself."""
        return self.saw_outside and not self.is_derived

    @property
    def is_fresh(self) -> bool:
        """Whether the model wrote it in this plan: it is not lull's own, and not kept from an earlier plan."""
        return not self.is_own and self.kept_from is None


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
    #: what the model asked of tools while it planned
    uses: tuple[ToolUse, ...] = ()
    #: what the model saw from outside, in lull's own words; and what of the plan waits for a tap because of that
    outside: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    #: the messages of other conversations that the model saw
    elsewhere: tuple[ConversationSpan, ...] = ()
    #: W3C trace id of the tick that made it
    trace: str = ""
    #: how many plans for the same people were replaced before anything of them was sent
    replans: int = 0
    #: the channel's post below which it answers a comment, or what it answers in a topic that is gone: all that it
    #: sends quotes that, by which Telegram finds the place; 0: none
    thread: int = 0
    #: whether the chat's topic is deleted or closed, so that what it sends names none
    is_out_of_topic: bool = False
    #: of who is answered, in which lull itself speaks of it: an ISO 639-1 code; empty: not known
    language: str = ""
    #: the plan that took its place while something of it was still unsent
    replaced_by: str = ""

    @property
    def is_open(self) -> bool:
        """Whether any task is still to be done."""
        return any(t.is_open for t in self.tasks)

    @property
    def is_begun(self) -> bool:
        """Whether any call of what the model wrote in this plan was made."""
        return any(d.attempted_at is not None for t in self.tasks if t.is_fresh for d in t.deliveries)
