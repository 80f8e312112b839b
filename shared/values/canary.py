"""The canary: an update of lull's own, by which a deployment proves that updates arrive, are kept, and are read.

It belongs to no chat and is from nobody, so it can never be a person's message; the tick reads it by its ordinary way
and finds nothing to answer. Telegram has no kind of update of its name. Beside it each function is asked to probe what
it needs for people: the model, Telegram, the reader, the buckets.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

#: the update's kind
CANARY = "canary"
#: what stands in each prompt of a probe, by which it can be told from a person's
PROBE_WORDS: Final = "This is a probe of lull's own, and nobody reads the answer."


class CanaryStep(StrEnum):
    """What is looked at, in this order; the values are what people read."""

    DOOR = "webhook without its secret"
    WEBHOOK = "webhook"
    STORE = "Firestore"
    TICK = "queue and tick"
    SWEEP = "sweep"
    ADDRESS = "webhook at Telegram"
    MODEL = "model"
    JUDGING = "judge"
    NOTING = "notes"
    VECTORS = "vectors"
    SPEAKING = "speech"
    DRAWING = "drawing"
    TELEGRAM = "Telegram"
    READING = "reading"
    DESCRIBING = "describing"
    ERASING = "erasing"
    MEDIA = "bucket of media"
    EXPORTS = "bucket of takeouts"
    DELETIONS = "bucket of erasures"
    ARCHIVE = "archive"


#: what is said of a model where a limit of money is reached
NOT_ASKED: Final = "was not asked"
#: steps that cost too much for every canary: mostly it is only asked whether the model is there
DEAR: Final = frozenset({CanaryStep.SPEAKING, CanaryStep.DRAWING})


class ProbeOrder(BaseModel):
    """The body by which a function is asked to probe what it needs."""

    model_config = ConfigDict(extra="forbid")

    job: Literal["probe"]
    #: the canary's own number: what is stored for it has this name
    run: str = Field(pattern=r"^[0-9]{1,20}$")
    #: whether there is a part of an export of this run, which can be read
    has_takeout: bool = False
    #: whether what is dear is really asked for
    is_thorough: bool = False


class ProbeResult(BaseModel):
    """What came of one probe, in a sentence; `agent` is empty where it is the whole deployment's."""

    model_config = ConfigDict(frozen=True)

    step: CanaryStep
    agent: str = ""
    is_well: bool
    said: str


class ProbeReport(BaseModel):
    """What a function answers to a probe."""

    model_config = ConfigDict(frozen=True)

    probed: tuple[ProbeResult, ...]


@dataclass(frozen=True, kw_only=True)
class FunctionAnswer:
    """What a function answered: no status is no answer at all, and `said` is then why; else the body's beginning."""

    status: int | None
    said: str = ""


@dataclass(frozen=True, kw_only=True)
class CanaryTrace:
    """What Firestore has of a canary: when it came, if it did; and whether a tick has read it.

    `generation` counts how often ticks claimed or released the chat that it lies in.
    """

    received_at: datetime | None = None
    is_read: bool = False
    generation: int = 0


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """One step of one agent's canary, or the deployment's if `agent` is empty: what was seen there, and milliseconds
    since the canary left.
    """

    agent: str
    step: CanaryStep
    is_well: bool
    said: str
    ms: int


@dataclass(frozen=True, kw_only=True)
class CanaryReport:
    """One run: when it began, and every step; of an agent whose canary was lost, none after the one that failed.

    `thorough_at` is when what is dear was last asked for and was well; None: never.
    """

    at: datetime
    steps: tuple[StepResult, ...]
    thorough_at: datetime | None = None

    @property
    def is_well(self) -> bool:
        """Whether every step was as it must be."""
        return bool(self.steps) and all(seen.is_well for seen in self.steps)

    @property
    def told(self) -> Mapping[str, Any]:
        """As JSON."""
        steps = [
            {"agent": s.agent, "step": s.step.value, "is_well": s.is_well, "said": s.said, "ms": s.ms}
            for s in self.steps
        ]
        return {"at": self.at.isoformat(), "is_well": self.is_well, "steps": steps}


def canary_body(update_id: int) -> bytes:
    """The request's body."""
    return json.dumps({"update_id": update_id, CANARY: {}}).encode()
