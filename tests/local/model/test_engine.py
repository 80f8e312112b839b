import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest

from local.model.calls import ApiError, Fault, Json
from local.model.engine import SLOTS, Engine, EngineFailed, EngineOptions, start_engine
from tests.local.model.conftest import small_gguf

HI: list[Json] = [{"role": "user", "content": "Say hello."}]
KILLED_CONTEXT = 640


@pytest.fixture(scope="module")
async def engine() -> AsyncIterator[Engine]:
    started = await start_engine(small_gguf(), EngineOptions(context=512, threads=2))
    yield started
    await started.stop()


async def test_tokens_are_those_that_the_model_sees(engine: Engine) -> None:
    asked = {"messages": HI, "max_tokens": 1}
    answer = (await engine.client.post("/v1/chat/completions", json=asked)).json()
    assert len(await engine.tokens(HI)) == answer["usage"]["prompt_tokens"]


async def test_words_have_first_tokens(engine: Engine) -> None:
    assert len(await engine.first_tokens(["Yes", "No", "Yes"])) == 2


async def test_a_prompt_is_read_into_its_slot(engine: Engine) -> None:
    tokens = await engine.tokens(HI)
    await engine.read(tokens, SLOTS - 1)
    slot = (await engine.client.get("/slots")).json()[SLOTS - 1]
    assert slot["n_prompt_tokens"] == len(tokens)


async def test_an_engine_that_dies_is_unavailable_and_says_why() -> None:
    engine = await start_engine(small_gguf(), EngineOptions(context=KILLED_CONTEXT, threads=2))
    try:
        _kill_the_engine()
        with pytest.raises(ApiError) as raised:
            await engine.tokens(HI)
        assert raised.value.fault is Fault.UNAVAILABLE
        assert "-9" in await engine.ended()
    finally:
        await engine.stop()


def _kill_the_engine() -> None:
    """Kill the one with the size of context that no other test has."""
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # another test's, that has ended
            if f"--context {KILLED_CONTEXT}" in " ".join(child.cmdline()):
                child.kill()
                # `wait` would take the exit status, which the engine reports
                while child.status() != psutil.STATUS_ZOMBIE:
                    time.sleep(0.01)


async def test_it_wants_its_key(engine: Engine) -> None:
    async with httpx.AsyncClient() as stranger:
        asked = {"messages": HI, "max_tokens": 1}
        answer = await stranger.post(engine.client.base_url.join("/v1/chat/completions"), json=asked)
    assert answer.status_code == 401


async def test_a_file_that_is_no_model_is_said(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF and nothing more")
    with pytest.raises(EngineFailed, match=r"broken\.gguf does not load: "):
        await start_engine(broken, EngineOptions())
