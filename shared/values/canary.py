"""The canary: a test update that lull sends to itself, to prove that updates arrive, are stored and are read.

The canary belongs to no chat and no person, and its kind is one that Telegram does not have. So it is never mistaken
for a message. The tick reads it like any update and finds nothing to answer. Each function also probes what it needs:
the model, Telegram, the reader, the buckets.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from shared.values.evolve import FrozenModel

#: the update's kind
CANARY = "canary"
#: Part of each prompt of a probe: tells the prompt apart from a person's.
PROBE_WORDS: Final = "This is a probe of lull's own, and nobody reads the answer."


class CanaryStep(StrEnum):
    """The steps of a canary, in order. The values are shown to people."""

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


#: Reported for a model if a spending limit is reached.
NOT_ASKED: Final = "was not asked"
#: Expensive steps. Most canaries only check that the model exists.
DEAR: Final = frozenset({CanaryStep.SPEAKING, CanaryStep.DRAWING})


class ProbeOrder(BaseModel):
    """The request body that asks a function to probe its dependencies."""

    model_config = ConfigDict(extra="forbid")

    job: Literal["probe"]
    #: number of the canary; what the probe stores is named after it
    run: str = Field(pattern=r"^[0-9]{1,20}$")
    #: whether another function has stored a part of an export for this run
    has_takeout: bool = False
    #: whether the expensive models are really called
    is_thorough: bool = False


class ProbeResult(FrozenModel):
    """The result of one probe. `agent` is empty if the result concerns the whole deployment."""

    step: CanaryStep
    agent: str = ""
    is_well: bool
    said: str


class ProbeReport(FrozenModel):
    """The response of a function to a probe request."""

    probed: tuple[ProbeResult, ...]


@dataclass(frozen=True, kw_only=True)
class FunctionAnswer:
    """The HTTP response of a function.

    `status` is None if there was no response. In that case `said` is the reason; otherwise `said` is the beginning of
    the body.
    """

    status: int | None
    said: str = ""


@dataclass(frozen=True, kw_only=True)
class CanaryTrace:
    """The state of a canary in Firestore: when it arrived, and whether a tick has read it.

    `generation` counts how often ticks claimed or released the chat document under which canaries are stored.
    """

    received_at: datetime | None = None
    is_read: bool = False
    generation: int = 0


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """The result of one step, for one agent or (if `agent` is empty) for the whole deployment.

    `ms` is the time since the canary was sent.
    """

    agent: str
    step: CanaryStep
    is_well: bool
    said: str
    ms: int


@dataclass(frozen=True, kw_only=True)
class CanaryReport:
    """The results of one canary. If an agent's canary was lost, the steps after the failed one are missing.

    `thorough_at` is the time at which the expensive steps last succeeded, or None.
    """

    at: datetime
    steps: tuple[StepResult, ...]
    thorough_at: datetime | None = None

    @property
    def is_well(self) -> bool:
        """True if every step succeeded."""
        return bool(self.steps) and all(seen.is_well for seen in self.steps)

    @property
    def as_json(self) -> Mapping[str, Any]:
        """The time, the overall result and the steps, as JSON-compatible values, without `thorough_at`."""
        steps = [
            {"agent": s.agent, "step": s.step.value, "is_well": s.is_well, "said": s.said, "ms": s.ms}
            for s in self.steps
        ]
        return {"at": self.at.isoformat(), "is_well": self.is_well, "steps": steps}


def canary_body(update_id: int) -> bytes:
    """Return the body of the canary's request to the webhook."""
    return json.dumps({"update_id": update_id, CANARY: {}}).encode()
