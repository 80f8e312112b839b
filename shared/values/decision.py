"""A decision: whether the agent answers a message, and why."""

from datetime import datetime
from enum import StrEnum

from shared.base.model_call import ModelCall
from shared.values.evolve import FrozenModel


class DecisionTier(StrEnum):
    """The rule or step that decided whether a message is answered.

    CHAT: the kind of chat. EXPLICIT: something clear in the message, such as a mention. FOLLOW_UP: the messages before
    it. JUDGE: a model's judgement. WAIT: the decision is made again when the message's file is described. ACCESS: the
    author may not be answered unless the owner admits them. NONE: nothing called the agent.

    While the rules decide, JUDGE marks an unclear message, which a model may still decide to answer. A stored JUDGE
    always means that a model judged the message.
    """

    CHAT = "chat"
    EXPLICIT = "explicit"
    FOLLOW_UP = "follow-up"
    JUDGE = "judge"
    WAIT = "wait"
    ACCESS = "access"
    NONE = "none"


class RecallNote(FrozenModel):
    """A record of one search in older messages for an answer: why it ran, its result and its cost."""

    is_asked: bool
    #: the reason, in a few words of lull's own
    why: str
    #: the number of passages that were put into the prompt, and the number of all matches
    found: int = 0
    matches: int = 0
    #: documents read, and milliseconds taken
    reads: int = 0
    ms: int = 0
    #: why the search was worse than usual; empty if it was as usual
    trouble: str = ""


class Decision(FrozenModel):
    """The decision to respond or not. `reason` is a few words of lull's own, and never quotes a person."""

    respond: bool
    reason: str
    tier: DecisionTier
    #: milliseconds that a model took to judge; 0 if the rules decided
    ms: int = 0
    #: the model calls of the judgement
    calls: tuple[ModelCall, ...] = ()
    #: for a message that waits: the latest time at which the decision is made again
    until: datetime | None = None
    #: for a message that is answered; None if recall is off
    recall: RecallNote | None = None
