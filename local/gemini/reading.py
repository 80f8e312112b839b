"""Reads the agents' instructions into the model before anybody asks, in the order in which people meet the agents.

A small model on a small machine reads some forty tokens a second, so instructions take half a minute. They are read in
short steps while nobody calls, and their states are stored on disk, so that a later start has them at once. An
instruction that was not expected is stored too, once a request has begun with it.
"""

import asyncio
import logging

from pydantic import BaseModel, Field

from local.gemini.calls import ApiError, Json
from local.gemini.engine import Engine
from local.gemini.kept_prompts import KeptPrompts
from local.gemini.precedence import Precedence
from local.gemini.slot import Slot, Tokens, common
from local.gemini.state import ReadingReport

log = logging.getLogger(__name__)

#: tokens read in one step: a caller waits for at most one step, which takes one or two seconds on a small machine
STEP_TOKENS = 64

#: fewest tokens of an instruction that is stored in a file
LEAST_TOKENS = 128


class Expected(BaseModel):
    """An instruction that requests will begin with; `name` is shown to people."""

    name: str
    instruction: str


class Reading(BaseModel):
    """Instructions to read ahead, in this order."""

    prompts: list[Expected] = Field(max_length=100)


class _Prompt:
    """An instruction with its tokens (None if no engine has tokenized it yet), and the number of tokens that are
    read.
    """

    def __init__(self, expected: Expected) -> None:
        self.name, self.instruction = expected.name, expected.instruction
        self.tokens: Tokens = ()
        self.done = 0

    @property
    def is_read(self) -> bool:
        return bool(self.tokens) and self.done >= len(self.tokens)


class ReadAhead:
    """The expected instructions, shared by successive engines of one model."""

    def __init__(self) -> None:
        """Start without expected instructions."""
        self.prompts: list[_Prompt] = []
        self.for_call: _Prompt | None = None
        self.changed = asyncio.Event()

    def expect(self, reading: Reading) -> None:
        """Read these instructions from now on, instead of the earlier ones."""
        self.prompts = [_Prompt(expected) for expected in reading.prompts]
        self.changed.set()

    def report_for_call(self) -> ReadingReport | None:
        """Return the progress of the reading that a call waits for; None if no call waits."""
        prompt = self.for_call
        if prompt is None:
            return None
        names = [prompt.name] if prompt.name else []
        return ReadingReport(names=names, done_tokens=prompt.done, total_tokens=len(prompt.tokens))

    def report(self) -> ReadingReport | None:
        """Return the progress of the reading; None if nothing is left to read."""
        left = [prompt for prompt in self.prompts if not prompt.is_read]
        if not left or not all(prompt.tokens for prompt in self.prompts):
            return None
        return ReadingReport(
            names=list(dict.fromkeys(prompt.name for prompt in left)),
            done_tokens=sum(prompt.done for prompt in self.prompts),
            total_tokens=sum(len(prompt.tokens) for prompt in self.prompts),
        )


class Reader:
    """Reads into one engine: the expected instructions, and the instruction of each request."""

    def __init__(self, engine: Engine, ahead: ReadAhead, kept: KeptPrompts | None = None) -> None:
        """Use a new engine. `kept` stores the states that earlier engines of this model have read."""
        self.engine, self._ahead, self._kept = engine, ahead, kept
        self._slot = Slot(engine)

    async def read_ahead(self, precedence: Precedence) -> None:
        """Read the expected instructions, step by step while nobody calls, until cancelled."""
        while True:
            self._ahead.changed.clear()
            try:
                while await self._one_step(precedence):
                    pass
            except ApiError as cause:
                log.warning("nothing is read ahead: %s", cause.message)
            await self._ahead.changed.wait()

    async def begin(self, messages: list[Json]) -> None:
        """Make the engine ready for a request. The instruction of the request is first read completely and stored."""
        tokens = tuple(await self.engine.tokens(messages))
        instruction = str(messages[0]["content"]) if messages[0]["role"] == "system" else ""
        prompt = await self._prompt_of(instruction)
        if len(prompt.tokens) >= LEAST_TOKENS and common(prompt.tokens, tokens) == len(prompt.tokens):
            if not await self._bring(prompt):
                await self._read_for_call(prompt)
            prompt.done = len(prompt.tokens)
        await self._slot.begin(tokens)

    async def _read_for_call(self, prompt: _Prompt) -> None:
        """Read a prompt completely, in steps, so that waiting callers can be told the progress."""
        prompt.done = 0
        self._ahead.for_call = prompt
        try:
            while not prompt.is_read:
                await self._read(prompt, STEP_TOKENS)
        finally:
            self._ahead.for_call = None

    def finish(self) -> None:
        """Note that the current request was answered."""
        self._slot.finish()

    async def _one_step(self, precedence: Precedence) -> bool:
        """Read one step; return whether anything was left to read."""
        async with precedence.in_the_meantime():
            await self._look()
            prompt = next((prompt for prompt in self._ahead.prompts if not prompt.is_read), None)
            if prompt:
                await self._read(prompt, STEP_TOKENS)
            return prompt is not None

    async def _prompt_of(self, instruction: str) -> _Prompt:
        for prompt in self._ahead.prompts:
            if prompt.instruction == instruction:
                await self._look()
                return prompt
        unexpected = _Prompt(Expected(name="", instruction=instruction))
        unexpected.tokens = await self._tokens_of(instruction)
        return unexpected

    async def _look(self) -> None:
        """Tokenize the expected instructions, and look up which of them an earlier run has stored."""
        for prompt in self._ahead.prompts:
            if not prompt.tokens:
                prompt.tokens = await self._tokens_of(prompt.instruction)
                prompt.done = len(prompt.tokens) if await self._bring(prompt) else 0

    async def _tokens_of(self, instruction: str) -> Tokens:
        """Return the tokens with which every request with this instruction begins."""
        one, other = [
            await self.engine.tokens([{"role": "system", "content": instruction}, {"role": "user", "content": said}])
            for said in ("a", "b")
        ]
        return tuple(one[: common(one, other)])

    async def _bring(self, prompt: _Prompt) -> bool:
        """Load a prompt from the engine's or the stored states; return whether that succeeded."""
        if self._slot.known(prompt.tokens) >= len(prompt.tokens):
            return True
        state = await asyncio.to_thread(self._kept.get, prompt.tokens) if self._kept else None
        if state is not None:
            self._slot.adopt(prompt.tokens, state)
        return state is not None

    async def _read(self, prompt: _Prompt, most: int) -> None:
        """Read up to `most` further tokens of a prompt, and store its state once it is complete."""
        until = min(len(prompt.tokens), self._slot.known(prompt.tokens) + most)
        await self._slot.begin(prompt.tokens[:until])
        await self.engine.read(prompt.tokens[:until])
        self._slot.finish()
        prompt.done = until
        if until < len(prompt.tokens):
            return
        if self._kept and (state := await self._slot.state()):
            await asyncio.to_thread(self._kept.put, prompt.tokens, state)
