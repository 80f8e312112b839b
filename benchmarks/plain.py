"""The small model by itself: the same weights with a short prompt. A comparison shows what lull's longer prompt adds,
and what it costs.

The model is asked over OpenAI's chat completions, at any address. `run_llama_cpp` starts llama.cpp with a model.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from benchmarks.moments import Moment

#: about eighty tokens
SYSTEM: Final = (
    "You are a helpful assistant in a Telegram chat. Answer the last message, in its language, in one to three short "
    "sentences. In a group, each message begins with the name of who wrote it; answer the person who wrote last. Be "
    "friendly and natural, say what you think, and do not repeat what was said. If you do not know something, say so. "
    "Write plain text without markdown."
)
#: an answer is cut off after this many tokens
MOST_TOKENS: Final = 200
CONTEXT: Final = 4_096
THREADS: Final = 2


@dataclass(frozen=True)
class PlainAnswer:
    """An answer, the seconds until its first word, and the number of tokens in the prompt."""

    text: str
    first_word_s: float
    prompt_tokens: int


def turns_of(moment: Moment) -> list[dict[str, str]]:
    """Return a moment as turns of a chat completion: the system's turn, and one turn with everything that people
    wrote.
    """
    lines = [f"{name}: {text}" if moment.group else text for name, text in moment.said]
    return turns_with("\n".join(lines))


def turns_with(text: str) -> list[dict[str, str]]:
    """Return the system's turn, and a turn with one message."""
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": text}]


async def ask(url: str, turns: Sequence[dict[str, str]]) -> PlainAnswer:
    """Ask a model, and return its answer. `url` is the address of its API, which ends with `/v1`."""
    asked = {"messages": list(turns), "max_tokens": MOST_TOKENS, "temperature": 0.0, "stream": True}
    body = {**asked, "model": "any", "stream_options": {"include_usage": True}}
    text, first_s, tokens, began = "", 0.0, 0, time.monotonic()
    async with (
        httpx.AsyncClient(timeout=None, trust_env=False) as http,
        http.stream("POST", f"{url}/chat/completions", json=body) as response,
    ):
        response.raise_for_status()
        async for line in response.aiter_lines():
            if not line.startswith("data: {"):
                continue
            chunk = json.loads(line.removeprefix("data: "))
            text += "".join(choice["delta"].get("content") or "" for choice in chunk["choices"])
            first_s = first_s or (time.monotonic() - began if text.strip() else 0.0)
            tokens = (chunk.get("usage") or {}).get("prompt_tokens", tokens)
    return PlainAnswer(text.strip(), first_s, tokens)


@asynccontextmanager
async def run_llama_cpp(model: Path) -> AsyncIterator[str]:
    """Run llama.cpp with the file of a model, and yield the address of llama.cpp's chat completions."""
    arguments = (sys.executable, "-m", "benchmarks.plain", str(model))
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *arguments, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode().strip()
        if not address:
            raise SystemExit(f"llama.cpp does not start with {model}")
        yield f"{address}/v1"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def main() -> None:
    """Start llama.cpp with the file of a model, print its address, and run until standard input closes."""
    import xllamacpp

    parser = argparse.ArgumentParser(prog="python -m benchmarks.plain")
    parser.add_argument("model", type=Path)
    params = xllamacpp.CommonParams()
    params.model.path = str(parser.parse_args().model)
    params.n_ctx, params.n_parallel = CONTEXT, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = THREADS
    params.use_jinja, params.warmup, params.ui, params.verbosity = True, False, False, 0
    params.hostnames = ["127.0.0.1"]
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
