"""A plan: a graph of tasks, with the state of each task and of its deliveries."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, SerializeAsAny

from shared.base.model_call import ModelCall
from shared.tasks.registry import stored_task
from shared.tasks.task import Task
from shared.values.channel import Button
from shared.values.evolve import FrozenModel
from shared.values.origin import ConversationSpan
from shared.values.prompt import PromptRecord
from shared.values.tool_use import ToolUse


class DeliveryState(StrEnum):
    """The states of a delivery; `attempted` is stored before the call."""

    PLANNED = "planned"
    ATTEMPTED = "attempted"
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class Delivery(FrozenModel):
    """One call to Telegram that delivers a part of a task, with the state of the call.

    Telegram cannot recognise a repeated call (it has no idempotency key). So an attempted delivery without an answer is
    `unknown`, and is never sent again.
    """

    #: 0 for the first part of a text that is longer than one message
    part: int
    #: the Bot API's method
    method: str
    state: DeliveryState = DeliveryState.PLANNED
    #: whether the part is sent without entities and preview, since Telegram refused them
    is_plain: bool = False
    message_ids: tuple[int, ...] = ()
    #: the reason why the delivery was refused or is unknown; never a person's text or a token
    why: str = ""
    attempted_at: datetime | None = None


class TaskState(StrEnum):
    """The states of a task; all but `planned` are final."""

    PLANNED = "planned"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class TaskOrigin(FrozenModel):
    """The plan that made a task. It is an earlier plan if the task was kept when a new plan replaced that plan."""

    plan: str
    #: the task's id in that plan
    task: str
    #: the messages that the plan answered
    answers: tuple[int, ...] = ()
    #: the channel's post among whose comments the plan answers; 0: none
    thread: int = 0


class PlannedTask(FrozenModel):
    """A task in a plan, with its state and its deliveries."""

    task: Annotated[SerializeAsAny[Task], BeforeValidator(stored_task)]
    #: buttons below the last message, each in a row of its own: lull's own buttons, or the task's choices once the task
    #: is sent
    buttons: tuple[Button, ...] = ()
    state: TaskState = TaskState.PLANNED
    tries: int = 0
    #: whether it is lull's own task (a command's answer, an apology): no new plan replaces it, and its loss needs no
    #: apology
    is_own: bool = False
    #: the command that the task answers, if one answer to it is enough for each person; else ""
    once: str = ""
    #: the export run whose progress the task's message shows; else ""
    shows: str = ""
    #: the people whose messages the task's plan answers; if `once` is set, the people for whom one answer is enough
    people: tuple[int, ...] = ()
    #: whether the plan was made from text from outside (text that no participant of the chat wrote, such as a web
    #: page): if so, effects beyond the chat wait for a button press
    saw_outside: bool = False
    #: whether that text was only text of the agent, written after the agent had seen text from outside
    is_derived: bool = False
    #: unique ids of files because of which the plan counts as made from text from outside, until lull knows whether the
    #: files contain text
    unseen: tuple[str, ...] = ()
    #: the addresses in its plan that people had written or a tool had found; the model made up any others
    known_links: tuple[str, ...] = ()
    #: the messages of other conversations from which its text may be derived
    elsewhere: tuple[ConversationSpan, ...] = ()
    #: the plan that made the task, if it is a promised message that was kept from an earlier plan
    kept_from: TaskOrigin | None = None
    #: whether typing was shown for the task; it is shown only once, even if people interrupt often
    is_typed: bool = False
    #: whether to look up the task's file again, since Telegram did not know its id
    is_anew: bool = False
    #: the earliest time at which the task may run: the end of a wait, a retry, or a wait that Telegram demands
    not_before: datetime | None = None
    deliveries: tuple[Delivery, ...] = ()
    #: the reason why the task failed or was cancelled
    why: str = ""

    @property
    def is_open(self) -> bool:
        """True if the task is still to be done."""
        return self.state is TaskState.PLANNED

    @property
    def is_marked(self) -> bool:
        """True if the task's text counts as text from outside, because the model was shown such text directly."""
        return self.saw_outside and not self.is_derived

    @property
    def is_fresh(self) -> bool:
        """True if the model wrote the task in this plan: it is neither lull's own nor kept from an earlier plan."""
        return not self.is_own and self.kept_from is None


class Plan(FrozenModel):
    """The plan of a chat. A new plan replaces the unsent tasks of the old one."""

    id: str
    created_at: datetime
    tasks: tuple[PlannedTask, ...]
    #: the messages that this plan answers
    answers: tuple[int, ...] = ()
    #: sentences about errors in the model's reply and about parts that were left out
    notes: tuple[str, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    #: the calls of tools that the model made while it planned
    uses: tuple[ToolUse, ...] = ()
    #: descriptions of the text from outside that the model saw; and of the tasks that wait for a button press because
    #: of it
    outside: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    #: the messages of other conversations that the model saw
    elsewhere: tuple[ConversationSpan, ...] = ()
    #: W3C trace id of the tick that made the plan
    trace: str = ""
    #: the number of plans for the same people that were replaced before any part of them was sent
    replans: int = 0
    #: the message that all messages of the plan quote, so that Telegram puts them in the right place: the channel's
    #: post under which the plan comments, or the answered message in a lost topic; 0: none
    thread: int = 0
    #: whether the chat's topic is deleted or closed, so that the plan's messages are sent without a topic
    is_out_of_topic: bool = False
    #: the language of lull's own messages, which is the answered person's, as an ISO 639-1 code; "" if unknown
    language: str = ""
    #: the plan that replaced this plan before all parts were sent; "" if none
    replaced_by: str = ""
    #: the size of the first prompt; None if there was none, or if an earlier version of lull made the plan
    prompt: PromptRecord | None = None

    @property
    def is_open(self) -> bool:
        """True if any task is still to be done."""
        return any(t.is_open for t in self.tasks)

    @property
    def is_begun(self) -> bool:
        """True if any call to Telegram was made for the tasks that the model wrote in this plan."""
        return any(d.attempted_at is not None for t in self.tasks if t.is_fresh for d in t.deliveries)
