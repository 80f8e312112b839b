"""Runs the engine: llama.cpp's own server with one model, in a separate process.

The engine itself keeps the states of earlier prompts. To cancel an answer, close the connection: the engine then stops
after its current step.
"""

import asyncio
import json
import os
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx

from local.model.calls import ApiError, Fault, Json
from shared.base.errors import LullError

ROOT = Path(__file__).parents[2]

#: Number of prompts that llama.cpp holds at once, in one context. A request continues the one with the most similar
#: beginning.
SLOTS = 8

#: number of words whose first tokens are remembered
MOST_WORDS = 10_000

#: number of the engine's last error lines that are stored, to report why it failed
COMPLAINTS = 20


class EngineFailed(LullError):
    """The engine cannot run this model."""


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Options of an engine. `context`: tokens of prompt and answer together."""

    context: int = 8_192
    threads: int = 2


class Engine:
    """A running engine. Use `start_engine` to make one."""

    def __init__(self, process: Process, client: httpx.AsyncClient, complaints: "_Complaints") -> None:
        """Use a running process. `client` calls its server."""
        self.client = client
        self._process, self._complaints = process, complaints
        self._first_tokens: dict[str, list[int]] = {}

    async def ended(self) -> str:
        """Wait until the process has ended. Return the reason: the last error line that it printed, or else its exit
        code.
        """
        await self._process.wait()
        return await self._complaints.last()

    async def stop(self) -> None:
        """End the process, which exits when its standard input closes."""
        await self.client.aclose()
        await _end(self._process)

    async def tokens(self, messages: list[Json]) -> list[int]:
        """Return the tokens of these messages, formatted with the model's chat template."""
        prompt = await self._post("/apply-template", {"messages": messages})
        return await self._tokens_of(str(prompt["prompt"]), special=True)

    async def first_tokens(self, words: Sequence[str]) -> set[int]:
        """Return the set of the words' first tokens; several words may have the same one. Tokens are cached between
        calls.
        """
        if len(self._first_tokens) > MOST_WORDS:
            self._first_tokens.clear()
        new = [word for word in dict.fromkeys(words) if word not in self._first_tokens]
        # at the same time, since requests one after the other would take a second for a long conversation
        found = await asyncio.gather(*map(self._tokens_of, new))
        self._first_tokens |= {word: tokens[:1] for word, tokens in zip(new, found, strict=True)}
        return {token for word in words for token in self._first_tokens[word]}

    async def read(self, tokens: Sequence[int], slot: int) -> None:
        """Let the model process a prompt without generating an answer. The slot `slot` keeps the result for later
        requests.
        """
        asked = {"prompt": list(tokens), "n_predict": 0, "cache_prompt": True, "id_slot": slot}
        await self._post("/completion", asked)

    async def _tokens_of(self, text: str, *, special: bool = False) -> list[int]:
        """Return the tokens of a text. `special`: the text is a complete prompt, whose turn markers are special
        tokens.
        """
        asked = {"content": text, "add_special": special, "parse_special": special}
        return list((await self._post("/tokenize", asked))["tokens"])

    async def _post(self, path: str, body: Json) -> Json:
        try:
            return dict((await self.client.post(path, json=body)).raise_for_status().json())
        except httpx.HTTPError as cause:
            raise engine_error(cause) from cause


async def start_engine(file: Path, options: EngineOptions) -> Engine:
    """Start an engine and load the model. Raises EngineFailed if the model does not load."""
    key = secrets.token_urlsafe(32)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "local.model.engine_process", str(file)),
        *("--context", str(options.context), "--threads", str(options.threads), "--slots", str(SLOTS)),
        cwd=ROOT,
        # otherwise libgomp busy-waits, which is five times slower if other programs use the cores too
        env={"OMP_WAIT_POLICY": "passive", **os.environ, "LULL_ENGINE_KEY": key},
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
    )
    async with AsyncExitStack() as on_failure:
        on_failure.push_async_callback(_end, process)
        complaints = _Complaints(process)
        address = await _address(process)
        if not address:
            raise EngineFailed(f"The model {file.name} does not load: {await complaints.last()}")
        client = _client(address, key)
        on_failure.push_async_callback(client.aclose)
        try:
            (await client.get("/health")).raise_for_status()
        except httpx.HTTPError as cause:
            raise EngineFailed(f"The engine of {file.name} does not answer ({type(cause).__name__}).") from cause
        on_failure.pop_all()
    return Engine(process, client, complaints)


def engine_error(cause: httpx.HTTPError) -> ApiError:
    """Return the error for a caller if the engine does not answer."""
    why = f"The local model stopped in the middle ({type(cause).__name__}). Try again."
    return ApiError(Fault.UNAVAILABLE, why)


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
