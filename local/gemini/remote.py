"""The server backend: Gemini's API over a running model server with OpenAI's chat completions.

This works with Ollama, LM Studio and llama.cpp's server. The plan's schema is sent as structured output, and functions
as tools.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field

import httpx

from local.gemini.answers import model_entry
from local.gemini.calls import Answer, ApiError, Call, Fault, Json, json_answer
from local.gemini.chat import ANSWER_TOKENS, whole_chat_of
from local.gemini.completions import chunks_of
from local.gemini.context import NEEDED, context_of, too_little
from local.gemini.model_list import is_refused, models_in, wants_key
from local.gemini.refusals import Refusals, not_thinking
from local.gemini.request import generate_request
from local.gemini.state import ModelReport, ModelState
from local.gemini.streamed import answer_of, events_of, until
from local.gemini.thinking import without_thoughts

log = logging.getLogger(__name__)

NOTE = "A model of yours, on its own server. Reads text only, no images, sound or files; makes no embeddings."
#: seconds between two checks of the server
LOOK_EVERY_S = 3.0
ANOTHER = "LULL_LOCAL_MODEL=ask make dev asks which one is to answer."
#: seconds for a response if the caller sets no limit
LIMIT_S = 600.0


@dataclass(frozen=True, kw_only=True)
class ModelServer:
    """A model of a server. `name` is the program's name; `url` has neither a trailing slash nor `/v1`."""

    name: str
    url: str
    model: str
    key: str = field(default="", repr=False)

    def __str__(self) -> str:
        """Return the description that people see."""
        return f"{self.label} of {self.name} at {self.url}"

    @property
    def label(self) -> str:
        """Return the model's name without the folders that some servers put before it."""
        return self.model.rpartition("/")[2]

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that authenticate at a server with a key."""
        return {"authorization": f"Bearer {self.key}"} if self.key else {}


class ServerBackend:
    """A model of a server that lull did not start. It is polled, so that the page can show when it is gone."""

    def __init__(self, server: ModelServer) -> None:
        """Prepare the backend. The server may start later."""
        self._server = server
        self._client = httpx.AsyncClient(
            base_url=server.url,
            headers=server.headers,
            timeout=None,
            trust_env=False,
            # idle connections are not reused, since servers may close them just as they are used
            limits=httpx.Limits(max_keepalive_connections=0),
        )
        self._state, self._error = ModelState.STARTING, ""
        self._refusals = Refusals(str(server), server.model)
        self._context = 0
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to poll the server."""
        self._watching = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Stop polling and close the connections."""
        if self._watching:
            self._watching.cancel()
            await asyncio.wait({self._watching})
        await self._client.aclose()

    def report(self) -> ModelReport:
        """Return the state: ready if the server answers."""
        caution = too_little(self._context)
        note = f"{NOTE} {caution}".rstrip()
        return ModelReport(state=self._state, name=self._server.label, note=note, caution=caution, error=self._error)

    async def answer(self, call: Call) -> Answer:
        """Return the model's response. Raises ApiError."""
        if call.method in ("list", "get"):
            entry = model_entry(call.model or "local", self._server.model, self._context or NEEDED, ANSWER_TOKENS)
            return json_answer(entry if call.model else {"models": [entry]})
        if not call.generates:
            raise ApiError(Fault.UNIMPLEMENTED, f"A local model server has no {call.method}: it generates only text.")
        chat = whole_chat_of(generate_request(call)) | {"model": self._server.model}
        return await answer_of(call, self._events(call, chat))

    async def _events(self, call: Call, chat: Json) -> AsyncGenerator[Json]:
        limit_s = call.limit_s or LIMIT_S
        deadline = asyncio.get_running_loop().time() + limit_s
        try:
            async with (
                aclosing(self._chunks(chat)) as chunks,
                aclosing(until(deadline, chunks)) as in_time,
                aclosing(events_of(in_time, self._server.model)) as events,
            ):
                async for body in events:
                    yield body
        except ApiError as refused:
            log.warning("%s", refused.message)
            raise
        except TimeoutError as cause:
            why = f"{self._server} did not finish within {limit_s:g} s. Allow more time, or shorten the prompt."
            raise ApiError(Fault.DEADLINE_EXCEEDED, why) from cause
        except httpx.TransportError as cause:
            raise ApiError(Fault.UNAVAILABLE, self._away(cause)) from cause

    async def _chunks(self, chat: Json) -> AsyncGenerator[Json]:
        """Yield the server's chunks without the model's thoughts."""
        chat = chat | not_thinking(self._server.model)
        asked = self._refusals.chunks(chat, lambda sent: chunks_of(self._client, sent, str(self._server)))
        async with (
            aclosing(asked) as chunks,
            aclosing(without_thoughts(chunks, is_json="response_format" in chat)) as answered,
        ):
            async for chunk in answered:
                yield chunk

    async def _watch(self) -> None:
        while True:
            self._error = await self._trouble()
            await self._look_at_context()  # before the state becomes ready, since both are reported together
            self._state = ModelState.FAILED if self._error else ModelState.READY
            await asyncio.sleep(LOOK_EVERY_S)

    async def _look_at_context(self) -> None:
        """Ask for the context's length until it is known, and again after the server was gone."""
        if self._error or not self._context:
            self._context = 0 if self._error else await context_of(self._client, self._server.name, self._server.model)
            if sentence := too_little(self._context):
                log.warning("This is %s. %s", self._server, sentence)

    async def _trouble(self) -> str:
        """Return the reason why the model cannot answer now; empty if it can."""
        try:
            answer = await self._client.get("/v1/models", timeout=LOOK_EVERY_S)
            if is_refused(answer):
                return f"{self._server} {wants_key(self._server.key)}"
            found = models_in(answer.raise_for_status())
        except (httpx.HTTPError, ValueError) as cause:
            return self._away(cause)
        there = ", ".join(found) or "none"
        return "" if self._server.model in found else f"{self._server} is gone; there are: {there}. {ANOTHER}"

    def _away(self, cause: Exception) -> str:
        why = f"{self._server} does not answer ({type(cause).__name__})."
        return f"{why} Start it again, or go on with LULL_LOCAL_MODEL=small make dev."
