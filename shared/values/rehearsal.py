"""Rehearsals: for the owner, the agent plans an earlier answer once more. Nothing is sent or remembered."""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from shared.base.model_call import ModelCall
from shared.values.evolve import FrozenModel
from shared.values.prompt_format import PromptFormat

#: characters of a persona's text that a rehearsal tries
LONGEST_PERSONA = 60_000


class RehearsalStep(StrEnum):
    """The steps of a rehearsal: PROMPT only assembles the prompt, which costs nothing; PLAN also asks the model."""

    PROMPT = "prompt"
    PLAN = "plan"


class RehearsalOrder(BaseModel):
    """The request body that asks a tick's function for a rehearsal. `owner` pays for it."""

    model_config = ConfigDict(extra="forbid")

    job: Literal["rehearse"] = "rehearse"
    step: RehearsalStep = RehearsalStep.PROMPT
    agent: str
    conversation: str = Field(pattern=r"^[^/]{1,100}$")
    #: the numbers of the entries with the messages to be answered
    asked: tuple[int, ...] = Field(min_length=1, max_length=200)
    owner: int
    #: the text that replaces the persona's, the model and the format of the prompt; "" for those used at the time
    persona: str = Field(default="", max_length=LONGEST_PERSONA)
    model: str = ""
    format: PromptFormat | None = None


class RebuiltTurn(FrozenModel):
    """A turn of a prompt as text: its role, and its parts."""

    role: str
    parts: tuple[str, ...]


class FormatSize(FrozenModel):
    """The size of the prompt in one format: estimated tokens, characters by part (`layers`), and message counts."""

    format: str
    tokens: int
    max_tokens: int
    layers: dict[str, int]
    messages_shown: int
    messages_cut: int
    instruction_hash: str


class RebuiltPrompt(FrozenModel):
    """A prompt that was assembled again from the transcript."""

    model: str
    format: str
    system: str
    turns: tuple[RebuiltTurn, ...]
    #: the names of the tools that the model may call
    tools: tuple[str, ...]
    #: the size in each format
    sizes: tuple[FormatSize, ...]
    characters_per_token: float
    #: what the prompt of that moment had and this one lacks, or the other way round; keys of the page's words
    differences: tuple[str, ...]


class RehearsedTask(FrozenModel):
    """A task of the new plan: its kind, the tasks that it depends on, and a summary that includes its text."""

    id: str
    kind: str
    depends_on: tuple[str, ...] = ()
    summary: str


class RehearsedPlan(FrozenModel):
    """The plan that the model makes in the rehearsal."""

    tasks: tuple[RehearsedTask, ...]
    notes: tuple[str, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    #: why there is no plan; "" if there is one
    failure: str = ""
    outside: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    #: the tools that the model called, with what it was told
    uses: tuple[str, ...] = ()
    #: US dollars; None if the price is unknown
    cost: float | None = None


class Rehearsal(FrozenModel):
    """The response to a `RehearsalOrder`: the prompt, and the new plan if the model was asked."""

    #: why nothing could be rehearsed, as a key of the page's words; "" if it could
    problem: str = ""
    prompt: RebuiltPrompt | None = None
    plan: RehearsedPlan | None = None
    #: the most US dollars that asking the model may cost; None if the price is unknown
    at_most: float | None = None
    #: the models that can be chosen, the default first; and the persona's own text
    models: tuple[str, ...] = ()
    persona: str = ""
