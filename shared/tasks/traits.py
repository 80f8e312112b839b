"""Traits of the kinds of task: what a kind needs, how it is delivered, and what happens when it fails."""

from dataclasses import dataclass, field

from shared.values.capabilities import OutputKind
from shared.values.channel import Activity
from shared.values.retry import RetryBudget


@dataclass(frozen=True, kw_only=True)
class TaskNeeds:
    """The things that a kind of task uses besides text."""

    #: whether the task has times; if so, the prompt lists the coming days
    times: bool = False
    #: whether the task needs an agent with stickers
    stickers: bool = False
    #: whether the task sends photos; if so, the prompt lists the persona's photos
    photos: bool = False
    #: whether the task names a blocked person; if so, the owner's prompt lists the blocked people
    blocked: bool = False
    #: whether the task changes memories; memories are read only for agents with such a task
    memories: bool = False
    #: the kind of file that a model makes for the task; agents without such a model cannot use the task
    made: OutputKind | None = None
    #: the most tasks of this kind in a plan, for kinds whose tasks cost money; 0: no limit
    most_per_plan: int = 0


@dataclass(frozen=True, kw_only=True)
class OnFailure:
    """The consequences of a task that fails, or whose outcome is unknown."""

    #: whether lull apologises with the text `excuse.<kind>`
    is_excused: bool = False
    #: whether the conversation gets a note when the task is lost, or when its delivery is unknown
    is_told: bool = False
    #: whether the task's loss, or an unknown outcome, is recorded as an incident
    is_incident: bool = True
    #: whether a call that certainly was not delivered is repeated
    is_tried_again: bool = True
    #: the kind's retry budget; None: the default budget
    budget: RetryBudget | None = None
    #: whether the tasks that depend on the failed task still run
    is_alone: bool = False
    #: whether a text replaces the failed task only if its plan shows people nothing else
    is_worded_alone: bool = False


@dataclass(frozen=True, kw_only=True)
class TaskTraits:
    """The traits of a kind of task. The defaults suit a kind that a model writes and Telegram delivers."""

    #: the kind's place in schemas, prompts and messages; kinds with the same place are ordered by name
    order: int = 100
    #: the Bot API's method that delivers the task; "" if nothing is delivered: the task only takes the time of its
    #: `pause`
    method: str = ""
    #: True if a model may write the task when a role prompt unlocks it; False if only lull makes it
    is_from_model: bool = True
    #: True if the task is stored in the plan; False if it is parsed and dropped
    is_kept: bool = True
    #: True if the effect stays in the chat and does not last. False if not: after text from outside (text that no
    #: participant of the chat wrote, such as a web page) the task waits for a button press
    stays_in_chat: bool = False
    #: whether the owner, instead of the answered person, must press that button
    asks_owner: bool = False
    #: whether the task begins another conversation
    begins_conversation: bool = False
    uses: TaskNeeds = field(default=TaskNeeds())
    on_failure: OnFailure = field(default=OnFailure())
    #: whether people see the task; an agent needs at least one such kind
    is_seen: bool = True
    #: the activity that the chat shows before the task
    activity: Activity = Activity.TYPING
    #: whether people read the field `text`; if so, the leak guard cleans the text, and previews show it
    is_text: bool = False
    #: whether the part of the reply after this task is not previewed
    ends_preview: bool = False
    #: whether somebody waits for the task; if so, lull apologises for a loss, and the chat stays active after the task
    is_awaited: bool = False
    #: for lull's own tasks: whether the task waits for lull's earlier tasks
    keeps_order: bool = True

    @property
    def elapses(self) -> bool:
        """True if nothing is delivered and only time passes."""
        return not self.method
