"""A decision: whether the agent answers a message, and why."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from shared.base.model_call import ModelCall


class DecisionTier(StrEnum):
    """What decided: the kind of chat, an explicit sign, the talk before, a model's judgement, or that nothing called.

    Of the rules' decisions, `judge` is one that a model may still turn: unclear, and until then no answer. Stored as
    such is only what a model was asked about. `wait` is decided anew when it is known what the message's file says,
    and `access`, who wrote it may not have an answer, when the owner lets them in.
    """

    CHAT = "chat"
    EXPLICIT = "explicit"
    FOLLOW_UP = "follow-up"
    JUDGE = "judge"
    WAIT = "wait"
    ACCESS = "access"
    NONE = "none"


class RecallNote(BaseModel):
    """Whether a message was answered with what is not shown of what was said, and what finding that took."""

    model_config = ConfigDict(frozen=True)

    is_asked: bool
    #: why, or why not, in a few words of ours
    why: str
    #: how much was found and put into the prompt, of how many matches
    found: int = 0
    matches: int = 0
    #: documents that were read, and milliseconds that it took
    reads: int = 0
    ms: int = 0
    #: why it could not be searched as well as usual; empty: it was
    trouble: str = ""


class Decision(BaseModel):
    """Respond or not, with its reason in a few words of ours (never a person's)."""

    model_config = ConfigDict(frozen=True)

    respond: bool
    reason: str
    tier: DecisionTier
    #: milliseconds that a model took to judge; the rules take none
    ms: int = 0
    #: what a model took to judge, if it answered
    calls: tuple[ModelCall, ...] = ()
    #: of one that waits: until when, at most
    until: datetime | None = None
    #: of one that is answered; none: nothing is ever recalled here
    recall: RecallNote | None = None
