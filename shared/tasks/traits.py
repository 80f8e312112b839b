"""Traits of the kinds of task."""

from dataclasses import dataclass, field

from shared.values.capabilities import OutputKind
from shared.values.channel import Activity
from shared.values.retry import RetryBudget


@dataclass(frozen=True, kw_only=True)
class TaskNeeds:
    """The things that a kind of task uses besides text."""

    #: whether the task has times: then the prompt lists the coming days
    times: bool = False
    #: whether the task needs an agent with stickers
    stickers: bool = False
    #: whether the task sends photos: then the prompt lists the persona's photos
    photos: bool = False
    #: whether the task names a blocked person: then the owner's prompt lists the blocked people
    blocked: bool = False
    #: whether the task changes memories: memories are read only for agents with such a task
    memories: bool = False
    #: the kind of file that a model makes for the task; agents without such a model cannot use the task
    made: OutputKind | None = None
    #: the most tasks of this kind in a plan, since each costs money; 0: no limit
    most_per_plan: int = 0


@dataclass(frozen=True, kw_only=True)
class OnFailure:
    """The consequences of a task that fails, or whose outcome is unknown."""

    #: whether lull apologises with the text `excuse.<kind>`
    is_excused: bool = False
    #: whether the conversation gets a note when the task is lost, or when its delivery is unknown
    is_told: bool = False
    #: whether its loss, or an unknown outcome, is an incident
    is_incident: bool = True
    #: whether a call that was certainly not delivered is repeated
    is_tried_again: bool = True
    #: the kind's retry budget; None: the default budget
    budget: RetryBudget | None = None
    #: whether the tasks that depend on the failed task still run
    is_alone: bool = False
    #: whether a text replaces the task only if its plan shows people nothing else
    is_worded_alone: bool = False


@dataclass(frozen=True, kw_only=True)
class TaskTraits:
    """The properties of a kind of task. The defaults suit a kind that a model writes and Telegram delivers."""

    #: the kind's place in schemas, prompts and messages; kinds with the same place are ordered by name
    order: int = 100
    #: the Bot API's method that delivers the task; "": nothing is delivered, and the task's pause elapses
    method: str = ""
    #: whether a model may write the task if a role prompt unlocks it; else only lull makes it
    is_from_model: bool = True
    #: whether the task is stored in the plan; else it is parsed and dropped
    is_kept: bool = True
    #: whether the effect stays in the chat and does not last; else the task waits for a button press after text from
    #: outside (text that no participant of the chat wrote, such as a web page)
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
    #: whether the field `text` is for people: then the leak guard cleans it, and previews show it
    is_text: bool = False
    #: whether no later part of the reply is previewed
    ends_preview: bool = False
    #: whether somebody waits for the task: then a loss gets an apology, and the chat stays active after the task
    is_awaited: bool = False
    #: whether a task of lull's own waits for earlier tasks of lull's own
    keeps_order: bool = True

    @property
    def elapses(self) -> bool:
        """Whether time passes instead of a delivery."""
        return not self.method
