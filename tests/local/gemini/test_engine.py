import json
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from pathlib import Path

import psutil
import pytest

from local.gemini.calls import ApiError, Fault, Json
from local.gemini.engine import Engine, EngineFailed, EngineOptions, start_engine
from tests.local.gemini.conftest import small_gguf

HI: list[Json] = [{"role": "user", "content": "Say hello."}]
KILLED_CONTEXT = 640


@pytest.fixture(scope="module")
async def engine() -> AsyncIterator[Engine]:
    started = await start_engine(small_gguf(), EngineOptions(context=512, threads=2))
    yield started
    await started.stop()


async def test_an_answer_comes_in_chunks_and_ends_with_its_counts(engine: Engine) -> None:
    endless = {"type": "array", "minItems": 100, "maxItems": 100, "items": {"type": "integer"}}
    held = {"type": "json_schema", "json_schema": {"name": "a", "schema": endless}}
    async with aclosing(engine.chat({"messages": HI, "max_tokens": 5, "response_format": held})) as chunks:
        found = [chunk async for chunk in chunks]
    assert len(found) > 1
    assert found[-1]["usage"]["completion_tokens"] == 5


async def test_tokens_are_counted_as_the_model_sees_them(engine: Engine) -> None:
    async with aclosing(engine.chat({"messages": HI, "max_tokens": 1})) as chunks:
        found = [chunk async for chunk in chunks]
    assert await engine.count(HI) == found[-1]["usage"]["prompt_tokens"]


@pytest.mark.parametrize("said", ["Yes", "No"])
async def test_an_answer_does_not_begin_as_the_last_line_does(engine: Engine, said: str) -> None:
    either = {"type": "string", "enum": ["Yes", "No"]}
    held = {"type": "json_schema", "json_schema": {"name": "a", "schema": either}}
    asked: list[Json] = [{"role": "user", "content": f"{said.lower()} and {said.lower()}\n(It is Friday, now.)"}]
    chat = {"messages": asked, "max_tokens": 8, "temperature": 0, "response_format": held}
    async with aclosing(engine.chat(chat)) as chunks:
        parts = [choice["delta"].get("content") or "" async for chunk in chunks for choice in chunk["choices"]]
    assert json.loads("".join(parts)) != said


async def test_a_prompt_that_does_not_fit_is_said_with_both_numbers(engine: Engine) -> None:
    long = [{"role": "user", "content": "word " * 2_000}]
    with pytest.raises(ApiError, match=r"input token count \(\d{4}\) exceeds .* \(512\)") as raised:
        await anext(engine.chat({"messages": long}))
    assert raised.value.fault is Fault.INVALID_ARGUMENT


async def test_a_schema_that_no_grammar_can_hold_is_said(engine: Engine) -> None:
    wrong = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "banana"}}}
    with pytest.raises(ApiError, match="banana") as raised:
        await anext(engine.chat({"messages": HI, "response_format": wrong}))
    assert raised.value.fault is Fault.INVALID_ARGUMENT


async def test_an_engine_that_dies_is_unavailable_and_says_why() -> None:
    engine = await start_engine(small_gguf(), EngineOptions(context=KILLED_CONTEXT, threads=2))
    try:
        async with aclosing(engine.chat({"messages": HI, "max_tokens": 400})) as chunks:
            await anext(chunks)
            _kill_the_engine()
            with pytest.raises(ApiError) as raised:
                [chunk async for chunk in chunks]
        assert raised.value.fault is Fault.UNAVAILABLE
        assert "-9" in await engine.ended()
    finally:
        await engine.stop()


def _kill_the_engine() -> None:
    """Kill this test's engine, found by a context size that no other test uses."""
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # it was another test's and has ended
            if f"--context {KILLED_CONTEXT}" in " ".join(child.cmdline()):
                child.kill()


async def test_a_file_that_is_no_model_is_said(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF and nothing more")
    with pytest.raises(EngineFailed, match=r"broken\.gguf does not load: "):
        await start_engine(broken, EngineOptions())
