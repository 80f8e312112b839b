"""Traits of the kinds of task."""

from dataclasses import dataclass, field

from shared.values.capabilities import OutputKind
from shared.values.channel import Activity
from shared.values.retry import RetryBudget


@dataclass(frozen=True, kw_only=True)
class TaskNeeds:
    """The things that a kind of task uses besides text."""

    #: whether it has times: then the prompt lists the coming days
    times: bool = False
    #: whether the agent needs stickers for it
    stickers: bool = False
    #: whether it sends photos: then the prompt lists the persona's
    photos: bool = False
    #: whether it names a blocked person: then the owner's prompt lists them
    blocked: bool = False
    #: whether it changes memories: they are read only for agents that may do so
    memories: bool = False
    #: the kind of file that a model makes for it; agents without such a model cannot do it
    made: OutputKind | None = None
    #: the most tasks of it in a plan, since each costs money; 0: no limit
    most_per_plan: int = 0


@dataclass(frozen=True, kw_only=True)
class OnFailure:
    """The consequences of a task that fails, or whose outcome is unknown."""

    #: whether lull apologises with the text `excuse.<kind>`
    is_excused: bool = False
    #: whether the conversation gets a note when it is lost or in doubt
    is_told: bool = False
    #: whether its loss, or an unknown outcome, is an incident
    is_incident: bool = True
    #: whether a call that was certainly not delivered is repeated
    is_tried_again: bool = True
    #: its own retry budget; None: the usual one
    budget: RetryBudget | None = None
    #: whether the tasks that depend on it go on
    is_alone: bool = False
    #: whether a text replaces it only if its plan shows people nothing else
    is_worded_alone: bool = False


@dataclass(frozen=True, kw_only=True)
class TaskTraits:
    """The properties of a kind of task. The defaults suit one that a model writes and Telegram delivers."""

    #: place among the kinds, in schemas, prompts and messages; equal ones are in the order of their names
    order: int = 100
    #: the Bot API's method that delivers it; "": nothing is delivered, its pause elapses
    method: str = ""
    #: whether a model may write it if a role prompt unlocks it; else only lull makes it
    is_from_model: bool = True
    #: whether it is kept in the plan; else it is parsed and dropped
    is_kept: bool = True
    #: whether its effect stays in the chat and does not last: else it waits for a tap after text from outside
    stays_in_chat: bool = False
    #: whether the owner is asked for that tap instead of the answered person
    asks_owner: bool = False
    #: whether it begins another conversation
    begins_conversation: bool = False
    uses: TaskNeeds = field(default=TaskNeeds())
    on_failure: OnFailure = field(default=OnFailure())
    #: whether people see it: an agent needs at least one such kind
    is_seen: bool = True
    #: the activity that is shown before it
    activity: Activity = Activity.TYPING
    #: whether its field `text` is for people: the leak guard cleans it, and previews show it
    is_text: bool = False
    #: whether nothing after it is previewed
    ends_preview: bool = False
    #: whether somebody waits for it: a loss gets an apology, and the chat stays active after it
    is_awaited: bool = False
    #: whether it waits for earlier tasks of lull's own, if it is one itself
    keeps_order: bool = True

    @property
    def elapses(self) -> bool:
        """Whether time passes instead of a delivery."""
        return not self.method
