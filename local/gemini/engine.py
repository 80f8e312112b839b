"""Runs one model under llama.cpp in a separate process, and calls it over HTTP.

Closing the connection cancels an answer: the engine then stops within one batch.
"""

import asyncio
import json
import os
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import httpx

from local.gemini.calls import ApiError, Fault, Json
from local.gemini.hints import openings
from shared.base.errors import LullError

ROOT = Path(__file__).parents[2]

#: Added to the log probability of words with which an answer should not begin. A word that is strongly expected is
#: still generated.
UNWANTED = -6.0

#: With greedy sampling a model may repeat itself forever. A token that continues a repetition of at least this many
#: tokens becomes less likely with each repetition (github.com/ggml-org/llama.cpp, `--dry-multiplier`).
NO_LOOPS = {"dry_multiplier": 0.8, "dry_allowed_length": 8, "dry_penalty_last_n": 256}

#: number of the engine's last error lines that are stored, to report why it failed
COMPLAINTS = 20


class EngineFailed(LullError):
    """The engine cannot run this model."""


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Options of an engine. `context`: tokens of prompt and answer together. `kept`: storage for prompts that were
    read ahead, across starts.
    """

    context: int = 8_192
    threads: int = 2
    kept: Path | None = None


@dataclass(frozen=True, kw_only=True)
class SavedState:
    """The saved state of a prompt: how many of its tokens had been read, and the state's size in bytes."""

    tokens: int
    size: int


class Engine:
    """A running engine. Use `start_engine` to make one."""

    def __init__(self, process: Process, client: httpx.AsyncClient, complaints: "_Complaints", folder: str) -> None:
        """Use a running process. `folder` belongs to the engine, holds states of prompts, and is deleted with it."""
        self._process, self._client, self._complaints = process, client, complaints
        self._folder = Path(folder)
        #: the model's real context, in tokens
        self.context = 0

    async def ended(self) -> str:
        """Wait until the process has ended, and return the reason, if the process printed one."""
        await self._process.wait()
        return await self._complaints.last()

    async def stop(self) -> None:
        """End the process, which exits when its standard input closes."""
        await self._client.aclose()
        await _end(self._process)
        rmtree(self._folder, ignore_errors=True)

    async def chat(self, chat: Json) -> AsyncGenerator[Json]:
        """Yield the chunks of an answer as the model generates them (OpenAI's chat.completion.chunk)."""
        streamed = {"stream": True, "stream_options": {"include_usage": True}}
        request = {**chat, **streamed, **NO_LOOPS}
        try:
            request["logit_bias"] = [[token, UNWANTED] for token in await self._first_tokens(chat["messages"])]
            async with self._client.stream("POST", "/v1/chat/completions", json=request) as response:
                if response.status_code != 200:
                    raise _refusal(json.loads(await response.aread()))
                async for line in response.aiter_lines():
                    if line.startswith("data: {"):
                        yield _chunk(line)
        except httpx.HTTPError as cause:
            raise _stopped(cause) from cause

    async def count(self, messages: list[Json]) -> int:
        """Count the tokens of these turns, including the model's chat template."""
        return len(await self.tokens(messages))

    async def tokens(self, messages: list[Json]) -> list[int]:
        """Return the tokens of these turns, including the model's chat template."""
        try:
            prompt = await self._client.post("/apply-template", json={"messages": messages})
            return await self._tokens_of(prompt.raise_for_status().json()["prompt"], special=True)
        except httpx.HTTPError as cause:
            raise ApiError(Fault.UNAVAILABLE, "The local model did not count. Try again.") from cause

    async def _tokens_of(self, text: str, *, special: bool = False) -> list[int]:
        """Return the tokens of a text. `special`: the text is a complete prompt, whose turn markers are special
        tokens.
        """
        asked = {"content": text, "add_special": special, "parse_special": special}
        answer = await self._client.post("/tokenize", json=asked)
        return list(answer.raise_for_status().json()["tokens"])

    async def _first_tokens(self, messages: list[Json]) -> set[int]:
        """Return the first tokens of answers that would repeat the last message or switch the language."""
        return {token for word in openings(messages) for token in (await self._tokens_of(word))[:1]}

    async def read(self, tokens: Sequence[int]) -> None:
        """Let the model process a prompt without generating an answer."""
        request = {"prompt": list(tokens), "n_predict": 0, "cache_prompt": True}
        try:
            answer = await self._client.post("/completion", json=request)
        except httpx.TransportError as cause:
            raise _stopped(cause) from cause
        if answer.status_code != 200:
            raise _refusal(answer.json())

    async def save(self, name: str) -> SavedState | None:
        """Write the state of the current prompt to a file in the engine's folder. None if there is no state, or no
        space for it.
        """
        saved = await self._slot("save", name)
        return SavedState(tokens=saved["n_saved"], size=saved["n_written"]) if saved else None

    async def restore(self, name: str) -> bool:
        """Load the state of a prompt that was saved; return whether that succeeded."""
        return bool(await self._slot("restore", name))

    async def _slot(self, action: str, name: str) -> Json:
        try:
            answer = await self._client.post("/slots/0", params={"action": action}, json={"filename": name})
        except httpx.TransportError as cause:
            raise _stopped(cause) from cause
        return dict(answer.json()) if answer.status_code == 200 else {}

    def take(self, name: str) -> bytes:
        """Return the bytes of a saved state."""
        return (self._folder / name).read_bytes()

    def give(self, name: str, state: bytes) -> None:
        """Put a state of the same model into the engine's folder."""
        (self._folder / name).write_bytes(state)

    def discard(self, name: str) -> None:
        """Delete a state."""
        (self._folder / name).unlink(missing_ok=True)


async def start_engine(file: Path, options: EngineOptions) -> Engine:
    """Start an engine and load the model. Raises EngineFailed if the model does not load."""
    key, folder = secrets.token_urlsafe(32), mkdtemp(prefix="lull-prompts-")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "local.gemini.engine_process", str(file)),
        *("--context", str(options.context), "--threads", str(options.threads), "--states", folder),
        cwd=ROOT,
        # otherwise libgomp busy-waits, which is five times slower if other programs use the cores too
        env={"OMP_WAIT_POLICY": "passive", **os.environ, "LULL_ENGINE_KEY": key},
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
    )
    async with AsyncExitStack() as on_failure:
        on_failure.callback(rmtree, folder, ignore_errors=True)
        on_failure.push_async_callback(_end, process)
        complaints = _Complaints(process)
        address = await _address(process)
        if not address:
            raise EngineFailed(f"The model {file.name} does not load: {await complaints.last()}")
        client = _client(address, key)
        on_failure.push_async_callback(client.aclose)
        try:
            slots = (await client.get("/slots")).raise_for_status().json()
        except httpx.HTTPError as cause:
            raise EngineFailed(f"The engine of {file.name} does not answer ({type(cause).__name__}).") from cause
        on_failure.pop_all()
    engine = Engine(process, client, complaints, folder)
    engine.context = int(slots[0]["n_ctx"])
    return engine


def _client(address: str, key: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=address,
        headers={"authorization": f"Bearer {key}"},
        timeout=httpx.Timeout(None, connect=10),
        # idle connections are not reused, since the engine may close them just as they are used
        limits=httpx.Limits(max_keepalive_connections=0),
        trust_env=False,  # a proxy from the environment must not be used between two local processes
    )


async def _address(process: Process) -> str:
    """Return the address that the process prints on its first line; empty if it exits without printing one."""
    assert process.stdout
    async for line in process.stdout:
        if line.startswith(b"{"):
            return str(json.loads(line)["address"])
    return ""


class _Complaints:
    """Reads the process's error output continuously, so that the process never blocks on it, and stores the last
    lines.
    """

    def __init__(self, process: Process) -> None:
        self._process = process
        self._lines: deque[str] = deque(maxlen=COMPLAINTS)
        self._reading = asyncio.create_task(self._read())

    async def last(self) -> str:
        """Return the last error line of the process. Call this after the process has ended."""
        await self._process.wait()
        await self._reading
        said = next((line for line in reversed(self._lines) if line), "")
        return said or f"its process ended with {self._process.returncode}."

    async def _read(self) -> None:
        assert self._process.stderr
        async for line in self._process.stderr:
            self._lines.append(line.decode(errors="replace").strip())


async def _end(process: Process) -> None:
    assert process.stdin
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), 3)
    except TimeoutError:
        process.kill()
        await process.wait()


def _chunk(line: str) -> Json:
    chunk: Json = json.loads(line.removeprefix("data: "))
    if "error" in chunk:
        raise _refusal(chunk)
    return chunk


def _stopped(cause: httpx.HTTPError) -> ApiError:
    why = f"The local model stopped in the middle ({type(cause).__name__}). Try again."
    return ApiError(Fault.UNAVAILABLE, why)


def _refusal(body: Json) -> ApiError:
    """Return the engine's error in Gemini's form."""
    error: dict[str, Any] = body.get("error", {})
    if error.get("type") == "exceed_context_size_error":
        asked, most = error.get("n_prompt_tokens"), error.get("n_ctx")
        why = f"The input token count ({asked}) exceeds the maximum number of tokens allowed ({most})"
        return ApiError(Fault.INVALID_ARGUMENT, f"{why} by this local model. Shorten it, or use Gemini.")
    if error.get("code") == 400:
        return ApiError(Fault.INVALID_ARGUMENT, f"The local model refused the request: {error.get('message')}")
    return ApiError(Fault.INTERNAL, f"The local model failed: {error.get('message', 'it gave no reason')}.")
