"""Lets the small model read the agents' instructions (system prompts) before the first request needs them.

A small model on a small machine reads some forty tokens a second, so one instruction takes seconds. Instructions are
read in short steps while no request is running or waiting, and llama.cpp keeps the result. All instructions begin with
the same text, which is read only once.
"""

import asyncio
import logging

from pydantic import BaseModel, Field

from local.model.calls import ApiError, Json
from local.model.engine import SLOTS, Engine
from local.model.precedence import Precedence
from local.model.state import ReadingReport

log = logging.getLogger(__name__)

#: tokens read in one step: a caller waits for at most one step, which takes one or two seconds on a small machine
STEP_TOKENS = 64


class Expected(BaseModel):
    """An instruction with which requests are expected to begin. `name` is the agent's name, which people see."""

    name: str
    instruction: str


class Reading(BaseModel):
    """The body of `POST /reading`: the instructions to read ahead, in this order."""

    prompts: list[Expected] = Field(max_length=100)


class _Prompt:
    """An instruction with its tokens (empty if it was not tokenized yet), and the number of tokens that the model has
    read.
    """

    def __init__(self, expected: Expected) -> None:
        self.name, self.instruction = expected.name, expected.instruction
        self.tokens: list[int] = []
        self.done = 0

    @property
    def is_read(self) -> bool:
        return bool(self.tokens) and self.done >= len(self.tokens)


class ReadAhead:
    """The instructions to read ahead. They are kept for a restarted engine, which has to read them again."""

    def __init__(self) -> None:
        """Start without instructions."""
        self._prompts: list[_Prompt] = []
        self._changed = asyncio.Event()

    def expect(self, reading: Reading) -> None:
        """Read these instructions from now on, instead of the earlier ones."""
        self._prompts = [_Prompt(expected) for expected in reading.prompts]
        self._changed.set()

    def name_of(self, messages: list[Json]) -> str:
        """Return the name of the agent whose instruction begins these messages; "" for any other instruction."""
        first = messages[0].get("content") if messages else ""
        return next((prompt.name for prompt in self._prompts if prompt.instruction == first), "")

    def report(self) -> ReadingReport | None:
        """Return the progress of the reading; None before the reading begins and after it is complete."""
        left = [prompt for prompt in self._prompts if not prompt.is_read]
        if not left or not all(prompt.tokens for prompt in self._prompts):
            return None
        return ReadingReport(
            names=list(dict.fromkeys(prompt.name for prompt in left)),
            done_tokens=sum(prompt.done for prompt in self._prompts),
            total_tokens=sum(len(prompt.tokens) for prompt in self._prompts),
        )

    async def read_into(self, engine: Engine, precedence: Precedence) -> None:
        """Let a new engine read the instructions, in short steps while no request is running or waiting.

        Runs until cancelled.
        """
        for prompt in self._prompts:
            prompt.done = 0
        while True:
            self._changed.clear()
            try:
                while await self._one_step(engine, precedence):
                    pass
            except ApiError as cause:
                log.warning("agents' instructions could not be read in advance: %s", cause.message)
            await self._changed.wait()

    async def _one_step(self, engine: Engine, precedence: Precedence) -> bool:
        """Read one step; return whether anything was left to read."""
        async with precedence.in_the_meantime():
            for prompt in self._prompts:
                prompt.tokens = prompt.tokens or await _tokens_of(engine, prompt.instruction)
            at, left = next(((at, one) for at, one in enumerate(self._prompts) if not one.is_read), (0, None))
            if left is None:
                return False
            until = min(len(left.tokens), left.done + STEP_TOKENS)
            # each prompt in its own slot, since llama.cpp would replace a prompt that begins alike
            await engine.read(left.tokens[:until], at % SLOTS)
            left.done = until
            return True


async def _tokens_of(engine: Engine, instruction: str) -> list[int]:
    """Return the tokens that all requests with this instruction begin with: the common prefix of two such requests."""
    one, other = [
        await engine.tokens([{"role": "system", "content": instruction}, {"role": "user", "content": said}])
        for said in ("a", "b")
    ]
    return one[: _common(one, other)]


def _common(one: list[int], other: list[int]) -> int:
    """Return the length of the common prefix."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
