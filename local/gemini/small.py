"""The small backend: Gemini's API over a small model on this machine, one answer at a time, first come first served."""

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

from local.gemini.answers import candidate, generation, model_entry, text_part, usage_of
from local.gemini.calls import SSE_HEADERS, Answer, ApiError, Call, Fault, Json, event, json_answer
from local.gemini.chat import ANSWER_TOKENS, chat_of, messages_of
from local.gemini.engine import Engine, EngineFailed, EngineOptions, start_engine
from local.gemini.model_file import ModelFileError
from local.gemini.request import count_request, generate_request
from local.gemini.state import ModelReport, ModelState, Progress

log = logging.getLogger(__name__)

NOTE = "Reads text only, no images, sound or files; calls no functions; makes no embeddings."

#: seconds that a request waits for a model that is not ready, before it is told how far it is
PATIENCE_S = 20.0

#: seconds for an answer when the caller does not say
LIMIT_S = 600.0

#: how often a model that dies is started again before it is given up
RESTARTS = 3

_FINISH = {"stop": "STOP", "length": "MAX_TOKENS"}


class SmallBackend:
    """A small model: fetched, started, restarted if it dies, and asked by one caller at a time."""

    def __init__(
        self,
        name: str,
        get_file: Callable[[Progress], Awaitable[Path]],
        progress: Progress,
        options: EngineOptions,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """`get_file` gives the model's file, and reports to `progress` while it downloads."""
        self._name, self._get_file, self._options = name, get_file, options
        self._progress, self._patience_s = progress, patience_s
        self._state, self._error = ModelState.STARTING, ""
        self._engine: Engine | None = None
        self._running: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        self._turn = asyncio.Lock()  # asyncio's locks are first come, first served

    async def start(self) -> None:
        """Begin to fetch and load the model."""
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Call everything off and end the engine."""
        if self._running:
            self._running.cancel()
            await asyncio.wait({self._running})

    def report(self) -> ModelReport:
        """How far the model is."""
        return ModelReport(
            state=self._state,
            name=self._name,
            note=NOTE,
            done_bytes=self._progress.done_bytes,
            total_bytes=self._progress.total_bytes,
            speed_bps=self._progress.speed_bps() if self._state is ModelState.DOWNLOADING else 0.0,
            error=self._error,
        )

    async def answer(self, call: Call) -> Answer:
        """The model's answer, or what the API says about it."""
        if call.method in ("list", "get"):
            return json_answer(self._described(call.model))
        if call.method == "countTokens":
            messages = messages_of(count_request(call))
            return json_answer({"totalTokens": await (await self._ready(call)).count(messages)})
        if not call.generates:
            raise ApiError(Fault.UNIMPLEMENTED, f"The local model has no {call.method}: it writes text, nothing else.")
        events = self._events(call, chat_of(generate_request(call)))
        if not call.streams:
            async with aclosing(events):
                return json_answer(await _whole(events))
        first = await anext(events)  # an error before it still has a status of its own
        return Answer(headers=SSE_HEADERS, stream=_framed(first, events))

    async def _events(self, call: Call, chat: Json) -> AsyncGenerator[Json]:
        """The answer in events, within the caller's time; the last one has the reason why it ends, and the counts."""
        limit_s = call.limit_s or LIMIT_S
        deadline = asyncio.get_running_loop().time() + limit_s
        try:
            async with asyncio.timeout_at(deadline):
                await self._ready(call)
                await self._turn.acquire()
            try:
                engine = await self._ready(call)  # the one of now: it may have been started again meanwhile
                async with aclosing(engine.chat(chat)) as chunks, aclosing(_until(deadline, chunks)) as in_time:
                    async for body in _said(in_time, self._name):
                        yield body
            finally:
                self._turn.release()
        except TimeoutError as cause:
            why = f"The local model did not finish within {limit_s:g} s. Allow more time, or shorten the prompt."
            raise ApiError(Fault.DEADLINE_EXCEEDED, why) from cause

    async def _ready(self, call: Call) -> Engine:
        """The engine, waited for a while; 503 says how far it is."""
        try:
            await asyncio.wait_for(self._settled.wait(), min(self._patience_s, (call.limit_s or LIMIT_S) * 0.9))
        except TimeoutError as cause:
            raise ApiError(Fault.UNAVAILABLE, self._how_far()) from cause
        if self._engine is None:
            raise ApiError(Fault.UNAVAILABLE, f"There is no local model. {self._error}")
        return self._engine

    def _how_far(self) -> str:
        if self._state is not ModelState.DOWNLOADING:
            return f"The local model {self._name} is starting. Try again in a few seconds."
        done, total = self._progress.done_bytes / 1e6, self._progress.total_bytes / 1e6
        return f"The local model {self._name} is being downloaded: {done:.0f} of {total:.0f} MB. Try again later."

    def _described(self, asked: str) -> Json:
        context = self._engine.context if self._engine else self._options.context
        entry = model_entry(asked or "local", self._name, context, ANSWER_TOKENS)
        return entry if asked else {"models": [entry]}

    async def _run(self) -> None:
        """Fetch the model, then keep an engine running with it until cancelled, or until it died too often."""
        try:
            self._state = ModelState.DOWNLOADING
            file = await self._get_file(self._progress)
            for _ in range(1 + RESTARTS):
                why = await self._run_engine(file)
                log.error("the engine of %s ended: %s", self._name, why)
            raise EngineFailed(f"The engine of {self._name} ended {1 + RESTARTS} times: {why}")
        except (ModelFileError, EngineFailed) as cause:
            self._state, self._error = ModelState.FAILED, str(cause)
            self._settled.set()
            log.error("%s", cause)

    async def _run_engine(self, file: Path) -> str:
        """Run one engine until it ends; why it did."""
        self._state = ModelState.STARTING
        engine = await start_engine(file, self._options)
        try:
            self._engine, self._state = engine, ModelState.READY
            self._settled.set()
            log.info("the model %s is ready", self._name)
            return await engine.ended()
        finally:
            self._settled.clear()
            self._engine = None
            await engine.stop()


async def _until(deadline: float, chunks: AsyncGenerator[Json]) -> AsyncGenerator[Json]:
    """The same chunks; a `TimeoutError` when one does not come before the deadline."""
    while True:
        async with asyncio.timeout_at(deadline):
            chunk = await anext(chunks, None)
        if chunk is None:
            return
        yield chunk


async def _said(chunks: AsyncGenerator[Json], model: str) -> AsyncGenerator[Json]:
    """The engine's chunks as the API's events."""
    answer_id, finish = uuid.uuid4().hex, "OTHER"
    async for chunk in chunks:
        choice = (chunk.get("choices") or [{}])[0]
        text = choice.get("delta", {}).get("content")
        if text:
            yield generation([candidate([text_part(text)])], model, answer_id)
        finish = _FINISH.get(choice.get("finish_reason"), finish)
        if usage := chunk.get("usage"):
            cached = usage.get("prompt_tokens_details", {}).get("cached_tokens", 0)
            counts = usage_of(usage["prompt_tokens"], usage["completion_tokens"], cached)
            yield generation([candidate([text_part("")], finish)], model, answer_id, counts)


async def _whole(events: AsyncGenerator[Json]) -> Json:
    """A streamed answer as one."""
    bodies = [body async for body in events]
    text = "".join(body["candidates"][0]["content"]["parts"][0]["text"] for body in bodies)
    finish = bodies[-1]["candidates"][0].get("finishReason", "OTHER")
    return {**bodies[-1], "candidates": [candidate([text_part(text)] if text else [], finish)]}


async def _framed(first: Json, rest: AsyncGenerator[Json]) -> AsyncGenerator[bytes]:
    async with aclosing(rest):
        yield event(first)
        async for body in rest:
            yield event(body)
