"""The backend of the small model: passes calls on to llama.cpp's own server, one at a time in order of arrival."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import Protocol

import httpx
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from local.model.calls import SSE_HEADERS, Answer, ApiError, Call, Fault, Json, json_answer
from local.model.chat import AnswerStream, bound_request, chunk_in, messages_in, names_in, reading_in, whole_of
from local.model.engine import Engine, EngineFailed, EngineOptions, engine_error, start_engine
from local.model.hints import openings
from local.model.model_file import ModelFileError
from local.model.precedence import Precedence
from local.model.reading import ReadAhead, Reading
from local.model.state import ModelReport, ModelState, Progress, ReadingReport

log = logging.getLogger(__name__)

NOTE = "Reads text only, no images, sound or files; calls no functions."

#: seconds that a request waits for the model before it gets an error with the progress
PATIENCE_S = 20.0

#: seconds for a response if the caller sets no limit
LIMIT_S = 600.0

#: number of restarts of a crashed engine before it is left down
RESTARTS = 3


class ModelSource(Protocol):
    """Gets a model's file. The properties may change until `get` has returned."""

    @property
    def name(self) -> str:
        """The model's name, as people see it."""

    @property
    def options(self) -> Json:
        """The fields to add to each request to the model."""

    @property
    def reason(self) -> str:
        """Sentences on why this model was chosen; empty if there was no choice."""

    async def get(self, progress: Progress) -> Path:
        """Return the file. If it has to be downloaded, `progress` is updated meanwhile. Raises ModelFileError."""


class SmallBackend:
    """A small model that is downloaded, started, and restarted if it crashes. It serves one caller at a time."""

    def __init__(
        self,
        source: ModelSource,
        progress: Progress,
        options: EngineOptions,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Prepare the backend for the model of `source`. `patience_s`: the longest time for which a call waits until
        the model is ready.
        """
        self._source, self._options = source, options
        self._progress, self._patience_s = progress, patience_s
        self._state, self._error = ModelState.STARTING, ""
        self._ahead = ReadAhead()
        self._answering: ReadingReport | None = None
        self._engine: Engine | None = None
        self._running: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        self._precedence = Precedence()

    @property
    def _name(self) -> str:
        return self._source.name

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
        is_here = self._state is ModelState.DOWNLOADING and not self._progress.total_bytes
        return ModelReport(
            state=ModelState.STARTING if is_here else self._state,
            name=self._name,
            note=NOTE,
            done_bytes=self._progress.done_bytes,
            total_bytes=self._progress.total_bytes,
            speed_bps=self._progress.speed_bps() if self._state is ModelState.DOWNLOADING else 0.0,
            error=self._error,
            reason=self._source.reason,
            reading=self._ahead.report() if self._state is ModelState.READY else None,
            answering=self._answering,
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
        if call.method == "list":
            return json_answer({"object": "list", "data": [{"id": self._name, "object": "model", "owned_by": "lull"}]})
        if call.method != "chat/completions":
            raise ApiError(Fault.NOT_FOUND, f"The local model does not support {call.method}.")
        request = call.json()
        chunks = self._in_time(call.limit_s or LIMIT_S, self._chunks(call, request))
        if not request.get("stream"):
            async with aclosing(chunks):
                return json_answer(whole_of([chunk async for chunk in chunks]))
        # the first chunk is awaited, so that an error before it can set the HTTP status
        first = await anext(chunks)
        return Answer(
            headers=SSE_HEADERS, stream=_framed(first, chunks, shows_reading=bool(request.get("return_progress")))
        )

    async def _in_time(self, limit_s: float, chunks: AsyncGenerator[Json]) -> AsyncGenerator[Json]:
        """Yield the chunks. Raises ApiError if the last one does not arrive within `limit_s` seconds."""
        deadline = asyncio.get_running_loop().time() + limit_s
        async with aclosing(chunks):
            while True:
                try:
                    async with asyncio.timeout_at(deadline):
                        chunk = await anext(chunks, None)
                except TimeoutError as cause:
                    why = (
                        f"The local model did not finish within {limit_s:g} s. Allow more time, or shorten the prompt."
                    )
                    raise ApiError(Fault.DEADLINE_EXCEEDED, why) from cause
                if chunk is None:
                    return
                yield chunk

    async def _chunks(self, call: Call, request: Json) -> AsyncGenerator[Json]:
        """Yield reports on the reading of the prompt, and then the chunks of the engine's answer."""
        messages = messages_in(request)
        await self._ready(call)
        async with AsyncExitStack() as turn:
            await turn.enter_async_context(self._precedence.caller())
            # the current engine, since it may have been restarted in the meantime
            engine = await self._ready(call)
            turn.callback(self._note_reading, None)
            sent = bound_request(self._source.options | request, await engine.first_tokens(openings(messages)))
            name = self._ahead.name_of(messages)
            names = [*names_in(messages), *filter(None, [name])]
            stream = AnswerStream(names, is_json="response_format" in request)
            try:
                async with engine.client.stream("POST", "/v1/chat/completions", json=sent) as response:
                    if response.status_code != 200:
                        raise _refusal(await response.aread())
                    async for line in response.aiter_lines():
                        if (chunk := chunk_in(line)) is None:
                            continue
                        self._note_reading(reading_in(chunk, name))
                        yield stream.take(chunk)
                        if stream.is_endless:
                            return  # closing the connection ends the answer
            except httpx.HTTPError as cause:
                raise engine_error(cause) from cause

    def _note_reading(self, report: ReadingReport | None) -> None:
        self._answering = report if report and report.done_tokens < report.total_tokens else None

    async def _ready(self, call: Call) -> Engine:
        """Return the engine after waiting for it. Raises ApiError: 503 with the progress if it is not ready in time."""
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

    async def _run(self) -> None:
        """Download the model, then run engines with it until cancelled, or until they have crashed too often."""
        try:
            self._state = ModelState.DOWNLOADING
            file = await self._source.get(self._progress)
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
        self._engine = engine
        ahead = asyncio.create_task(self._ahead.read_into(engine, self._precedence))
        try:
            self._state = ModelState.READY
            self._settled.set()
            log.info("the model %s is ready", self._name)
            return await engine.ended()
        finally:
            self._settled.clear()
            self._engine = None
            ahead.cancel()
            await asyncio.wait({ahead})
            await engine.stop()


def _refusal(body: bytes) -> ApiError:
    """Return the engine's error as an ApiError. If the prompt is too long, the message says what to do."""
    try:
        error: Json = json.loads(body)["error"]
        fault = Fault(int(error["code"]))
    except (ValueError, KeyError, TypeError):
        return ApiError(Fault.INTERNAL, "The local model failed without giving a reason.")
    if error.get("type") == "exceed_context_size_error":
        asked, most = error.get("n_prompt_tokens"), error.get("n_ctx")
        why = f"The prompt has {asked} tokens, and the context length of this local model is {most}."
        return ApiError(Fault.INVALID_ARGUMENT, f"{why} Shorten it, or use Gemini.")
    return ApiError(fault, f"The local model refused the request: {error.get('message')}")


async def _framed(first: Json, rest: AsyncGenerator[Json], *, shows_reading: bool) -> AsyncGenerator[bytes]:
    """Yield the chunks as server-sent events. Reports on the reading of the prompt are included only if
    `shows_reading` is true.
    """
    async with aclosing(rest):
        chunk: Json | None = first
        while chunk is not None:
            if shows_reading or "prompt_progress" not in chunk:
                yield b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n"
            chunk = await anext(rest, None)
    yield b"data: [DONE]\n\n"
