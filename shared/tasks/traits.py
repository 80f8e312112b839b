"""Traits: what lull needs to know of a kind of task."""

from dataclasses import dataclass, field

from shared.values.capabilities import OutputKind
from shared.values.channel import Activity
from shared.values.retry import RetryBudget


@dataclass(frozen=True, kw_only=True)
class TaskNeeds:
    """Things that a kind of task uses, besides words."""

    #: whether it says when something is to happen: then the prompt tells the days that come
    times: bool = False
    #: whether an agent without stickers cannot do it
    stickers: bool = False
    #: whether it sends photos, so that the prompt lists those of the persona
    photos: bool = False
    #: whether it names somebody who is blocked, so that the owner's prompt lists them
    blocked: bool = False
    #: whether it changes what is remembered: only an agent that may do so has its memories read
    memories: bool = False
    #: what a model makes for it before it is delivered: an agent for which nobody does that cannot do it
    made: OutputKind | None = None
    #: how many of it a plan may have, since each is paid for; 0: as many as it has tasks
    most_per_plan: int = 0


@dataclass(frozen=True, kw_only=True)
class OnFailure:
    """Consequences of a task that fails, or whose outcome is unknown."""

    #: whether lull says in its own words that it did not work out (`excuse.<kind>` of the catalogues)
    is_excused: bool = False
    #: whether the conversation keeps a note when it is lost or in doubt
    is_told: bool = False
    #: whether a lost one, or one whose outcome is unknown, is an incident
    is_incident: bool = True
    #: whether a call that was certainly not delivered is made again
    is_tried_again: bool = True
    #: how often it is tried, if not as often as others
    budget: RetryBudget | None = None
    #: whether the tasks that depend on it go on
    is_alone: bool = False
    #: whether words take its place only where its plan shows people nothing else
    is_worded_alone: bool = False


@dataclass(frozen=True, kw_only=True)
class TaskTraits:
    """What lull needs to know of a kind of task. The defaults suit one that a model plans and Telegram takes."""

    #: place among the kinds, in schemas, prompts and messages; equal ones are in the order of their names
    order: int = 100
    #: the Bot API's method that delivers it; empty: nothing is delivered, its pause elapses
    method: str = ""
    #: whether a model may write it, if a role prompt unlocks it; else only lull itself makes it
    is_from_model: bool = True
    #: whether it stands in a plan; else it is parsed and thrown away
    is_kept: bool = True
    #: whether its effect stays in the chat and does not last: else it waits for a tap where text from outside was seen
    stays_in_chat: bool = False
    #: whether it is the owner who is asked for that tap, and not whoever is answered
    asks_owner: bool = False
    #: whether another conversation begins when it is reached
    begins_conversation: bool = False
    uses: TaskNeeds = field(default=TaskNeeds())
    on_failure: OnFailure = field(default=OnFailure())
    #: whether people see something of it: an agent must have one such kind to be heard
    is_seen: bool = True
    #: what people see the agent doing before it
    activity: Activity = Activity.TYPING
    #: whether its field `text` is written for people: the leak guard cleans it, and a preview shows it
    is_text: bool = False
    #: whether nothing after it is previewed
    ends_preview: bool = False
    #: whether somebody waits for it: its loss is apologised for, and the chat stays active after it
    is_awaited: bool = False
    #: whether, as one of lull's own, it is held up by an earlier one of them that has to wait
    keeps_order: bool = True

    @property
    def elapses(self) -> bool:
        """Whether nothing is delivered: time passes instead."""
        return not self.method
