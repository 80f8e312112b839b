"""The small backend: Gemini's API over a small local model, one answer at a time in order of arrival."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from pathlib import Path

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from local.gemini.answers import model_entry
from local.gemini.calls import Answer, ApiError, Call, Fault, Json, json_answer
from local.gemini.chat import ANSWER_TOKENS, chat_of, messages_of
from local.gemini.engine import EngineFailed, EngineOptions, start_engine
from local.gemini.kept_prompts import KeptPrompts, model_hash
from local.gemini.model_file import ModelFileError
from local.gemini.precedence import Precedence
from local.gemini.reading import ReadAhead, Reader, Reading
from local.gemini.request import count_request, generate_request
from local.gemini.state import ModelReport, ModelState, Progress
from local.gemini.streamed import answer_of, events_of, until

log = logging.getLogger(__name__)

NOTE = "Reads text only, no images, sound or files; calls no functions."

#: seconds that a request waits for the model before it gets an error with the progress
PATIENCE_S = 20.0

#: seconds for a response if the caller sets no limit
LIMIT_S = 600.0

#: number of restarts of a crashed engine before it is left down
RESTARTS = 3


class SmallBackend:
    """A small model that is downloaded, started, and restarted if it crashes. It serves one caller at a time."""

    def __init__(
        self,
        name: str,
        get_file: Callable[[Progress], Awaitable[Path]],
        progress: Progress,
        options: EngineOptions,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Prepare the backend. `get_file` returns the model's file, and reports to `progress` while it downloads."""
        self._name, self._get_file, self._options = name, get_file, options
        self._progress, self._patience_s = progress, patience_s
        self._state, self._error = ModelState.STARTING, ""
        self._ahead = ReadAhead()
        self._reader: Reader | None = None
        self._running: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        self._precedence = Precedence()

    async def start(self) -> None:
        """Begin to download and load the model."""
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Cancel all work and end the engine."""
        if self._running:
            self._running.cancel()
            await asyncio.wait({self._running})

    def report(self) -> ModelReport:
        """Return the state of the model, such as the progress of its download."""
        return ModelReport(
            state=self._state,
            name=self._name,
            note=NOTE,
            done_bytes=self._progress.done_bytes,
            total_bytes=self._progress.total_bytes,
            speed_bps=self._progress.speed_bps() if self._state is ModelState.DOWNLOADING else 0.0,
            error=self._error,
            reading=self._ahead.report() if self._state is ModelState.READY else None,
            answering=self._ahead.report_for_call() if self._state is ModelState.READY else None,
        )

    def routes(self) -> list[Route]:
        """Return the route `POST /reading`, which sets the instructions to read while nobody calls."""
        return [Route("/reading", self._expect, methods=["POST"])]

    async def _expect(self, request: Request) -> JSONResponse:
        try:
            self._ahead.expect(Reading.model_validate_json(await request.body()))
        except ValidationError as wrong:
            return JSONResponse({"error": str(wrong)}, 400)
        return JSONResponse({})

    async def answer(self, call: Call) -> Answer:
        """Return the model's response. Raises ApiError."""
        if call.method in ("list", "get"):
            return json_answer(self._described(call.model))
        if call.method == "countTokens":
            messages = messages_of(count_request(call))
            return json_answer({"totalTokens": await (await self._ready(call)).engine.count(messages)})
        if not call.generates:
            raise ApiError(Fault.UNIMPLEMENTED, f"The local model has no {call.method}: it generates only text.")
        return await answer_of(call, self._events(call, chat_of(generate_request(call))))

    async def _events(self, call: Call, chat: Json) -> AsyncGenerator[Json]:
        """Yield the response as events, within the caller's time. The last event has the finish reason and the token
        counts.
        """
        limit_s = call.limit_s or LIMIT_S
        deadline = asyncio.get_running_loop().time() + limit_s
        try:
            async with AsyncExitStack() as turn:
                async with asyncio.timeout_at(deadline):
                    await self._ready(call)
                    await turn.enter_async_context(self._precedence.caller())
                    # the current engine, since it may have been restarted in the meantime
                    reader = await self._ready(call)
                    await reader.begin(chat["messages"])
                async with aclosing(reader.engine.chat(chat)) as chunks, aclosing(until(deadline, chunks)) as in_time:
                    async for body in events_of(in_time, self._name):
                        yield body
                reader.finish()
        except TimeoutError as cause:
            why = f"The local model did not finish within {limit_s:g} s. Allow more time, or shorten the prompt."
            raise ApiError(Fault.DEADLINE_EXCEEDED, why) from cause

    async def _ready(self, call: Call) -> Reader:
        """Return the engine with its reader after waiting for it. Raises ApiError: 503 with the progress if it is
        not ready in time.
        """
        try:
            await asyncio.wait_for(self._settled.wait(), min(self._patience_s, (call.limit_s or LIMIT_S) * 0.9))
        except TimeoutError as cause:
            raise ApiError(Fault.UNAVAILABLE, self._how_far()) from cause
        if self._reader is None:
            raise ApiError(Fault.UNAVAILABLE, f"There is no local model. {self._error}")
        return self._reader

    def _how_far(self) -> str:
        if self._state is not ModelState.DOWNLOADING:
            return f"The local model {self._name} is starting. Try again in a few seconds."
        done, total = self._progress.done_bytes / 1e6, self._progress.total_bytes / 1e6
        return f"The local model {self._name} is being downloaded: {done:.0f} of {total:.0f} MB. Try again later."

    def _described(self, asked: str) -> Json:
        context = self._reader.engine.context if self._reader else self._options.context
        entry = model_entry(asked or "local", self._name, context, ANSWER_TOKENS)
        return entry if asked else {"models": [entry]}

    async def _run(self) -> None:
        """Download the model, then run engines with it until cancelled, or until they have crashed too often."""
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
        """Run one engine until it ends; return the reason."""
        self._state = ModelState.STARTING
        engine = await start_engine(file, self._options)
        self._reader = Reader(engine, self._ahead, await self._kept(file))
        ahead = asyncio.create_task(self._reader.read_ahead(self._precedence))
        try:
            self._state = ModelState.READY
            self._settled.set()
            log.info("the model %s is ready", self._name)
            return await engine.ended()
        finally:
            self._settled.clear()
            self._reader = None
            ahead.cancel()
            await asyncio.wait({ahead})
            await engine.stop()

    async def _kept(self, file: Path) -> KeptPrompts | None:
        folder = self._options.kept
        return KeptPrompts(folder, await asyncio.to_thread(model_hash, file)) if folder else None
