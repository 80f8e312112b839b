"""What the model reads before anybody asks: the instructions of each agent, in the order in which people meet them.

A small model on a small machine reads some forty tokens a second, so that instructions cost half a minute. They are
read in short steps while nobody calls, and kept on disk: a later start has them at once. What was not expected is kept
as well, once a request has begun with it.
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

#: tokens read in one step: a caller waits for one, which takes one or two seconds on a small machine
STEP_TOKENS = 64

#: a shorter instruction is not worth a file
LEAST_TOKENS = 128


class Expected(BaseModel):
    """An instruction that requests will begin with; `name` is shown to people."""

    name: str
    instruction: str


class Reading(BaseModel):
    """What is to be read ahead, first what is met first."""

    prompts: list[Expected] = Field(max_length=100)


class _Prompt:
    """An instruction: its tokens (none: no engine has seen it yet), and how many of them are read."""

    def __init__(self, expected: Expected) -> None:
        self.name, self.instruction = expected.name, expected.instruction
        self.tokens: Tokens = ()
        self.done = 0

    @property
    def is_read(self) -> bool:
        return bool(self.tokens) and self.done >= len(self.tokens)


class ReadAhead:
    """What is expected, over the engines of one model."""

    def __init__(self) -> None:
        """Nothing is expected."""
        self.prompts: list[_Prompt] = []
        self.for_call: _Prompt | None = None
        self.changed = asyncio.Event()

    def expect(self, reading: Reading) -> None:
        """Read these from now on, instead of what was expected before."""
        self.prompts = [_Prompt(expected) for expected in reading.prompts]
        self.changed.set()

    def report_for_call(self) -> ReadingReport | None:
        """How far the reading is that a call waits for; None if none does."""
        prompt = self.for_call
        if prompt is None:
            return None
        names = [prompt.name] if prompt.name else []
        return ReadingReport(names=names, done_tokens=prompt.done, total_tokens=len(prompt.tokens))

    def report(self) -> ReadingReport | None:
        """How far the reading is; None: nothing is left to read."""
        left = [prompt for prompt in self.prompts if not prompt.is_read]
        if not left or not all(prompt.tokens for prompt in self.prompts):
            return None
        return ReadingReport(
            names=list(dict.fromkeys(prompt.name for prompt in left)),
            done_tokens=sum(prompt.done for prompt in self.prompts),
            total_tokens=sum(len(prompt.tokens) for prompt in self.prompts),
        )


class Reader:
    """One engine's reading: what is read ahead, and the beginning of each request that it has read already."""

    def __init__(self, engine: Engine, ahead: ReadAhead, kept: KeptPrompts | None = None) -> None:
        """The engine is new; `kept` is what earlier ones have read of this model."""
        self.engine, self._ahead, self._kept = engine, ahead, kept
        self._slot = Slot(engine)

    async def read_ahead(self, precedence: Precedence) -> None:
        """Read what is expected, step by step while nobody calls, until cancelled."""
        while True:
            self._ahead.changed.clear()
            try:
                while await self._one_step(precedence):
                    pass
            except ApiError as cause:
                log.warning("nothing is read ahead: %s", cause.message)
            await self._ahead.changed.wait()

    async def begin(self, messages: list[Json]) -> None:
        """Make the engine ready for a request. The instruction that it begins with is read whole and kept, first."""
        tokens = tuple(await self.engine.tokens(messages))
        instruction = str(messages[0]["content"]) if messages[0]["role"] == "system" else ""
        prompt = await self._prompt_of(instruction)
        if len(prompt.tokens) >= LEAST_TOKENS and common(prompt.tokens, tokens) == len(prompt.tokens):
            if not await self._bring(prompt):
                await self._read_for_call(prompt)
            prompt.done = len(prompt.tokens)
        await self._slot.begin(tokens)

    async def _read_for_call(self, prompt: _Prompt) -> None:
        """Read a prompt whole, in steps, so that whoever waits can be told how far it is."""
        prompt.done = 0
        self._ahead.for_call = prompt
        try:
            while not prompt.is_read:
                await self._read(prompt, STEP_TOKENS)
        finally:
            self._ahead.for_call = None

    def finish(self) -> None:
        """The request that was begun has its answer."""
        self._slot.finish()

    async def _one_step(self, precedence: Precedence) -> bool:
        """Whether there was something to read."""
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
        """What is expected in tokens, and which of it an earlier run has kept."""
        for prompt in self._ahead.prompts:
            if not prompt.tokens:
                prompt.tokens = await self._tokens_of(prompt.instruction)
                prompt.done = len(prompt.tokens) if await self._bring(prompt) else 0

    async def _tokens_of(self, instruction: str) -> Tokens:
        """What every request with this instruction begins with."""
        one, other = [
            await self.engine.tokens([{"role": "system", "content": instruction}, {"role": "user", "content": said}])
            for said in ("a", "b")
        ]
        return tuple(one[: common(one, other)])

    async def _bring(self, prompt: _Prompt) -> bool:
        """Whether the engine has this prompt, or had it and it was kept."""
        if self._slot.known(prompt.tokens) >= len(prompt.tokens):
            return True
        state = await asyncio.to_thread(self._kept.get, prompt.tokens) if self._kept else None
        if state is not None:
            self._slot.adopt(prompt.tokens, state)
        return state is not None

    async def _read(self, prompt: _Prompt, most: int) -> None:
        """Read so many more tokens of a prompt, and keep it when it is whole."""
        until = min(len(prompt.tokens), self._slot.known(prompt.tokens) + most)
        await self._slot.begin(prompt.tokens[:until])
        await self.engine.read(prompt.tokens[:until])
        self._slot.finish()
        prompt.done = until
        if until < len(prompt.tokens):
            return
        if self._kept and (state := await self._slot.state()):
            await asyncio.to_thread(self._kept.put, prompt.tokens, state)
