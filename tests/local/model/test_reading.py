"""Instructions that are read before anybody asks, with llama.cpp itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import pairwise

import pytest

from local.model.engine import Engine, EngineOptions, start_engine
from local.model.precedence import Precedence
from local.model.reading import STEP_TOKENS, Expected, ReadAhead, Reading
from tests.local.model.conftest import small_gguf

LULL = Expected(name="lull", instruction="You are lull, a friendly assistant. " * 20)
MOSS = Expected(name="Moss", instruction="You are Moss, an old gardener. " * 20)


@pytest.fixture(scope="module")
async def engine() -> AsyncIterator[Engine]:
    started = await start_engine(small_gguf(), EngineOptions(context=2_048, threads=2))
    yield started
    await started.stop()


async def read(ahead: ReadAhead, engine: Engine, precedence: Precedence | None = None) -> list[tuple[str, int]]:
    """What the reports said while everything was read."""
    seen = list[tuple[str, int]]()
    reading = asyncio.create_task(ahead.read_into(engine, precedence or Precedence()))
    try:
        while not seen or ahead.report() is not None:
            if report := ahead.report():
                seen.append((report.names[0], report.done_tokens))
            await asyncio.sleep(0.005)
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading
    return seen


async def test_instructions_are_read_in_order_and_in_steps(engine: Engine) -> None:
    ahead = ReadAhead()
    ahead.expect(Reading(prompts=[LULL, MOSS]))
    seen = await read(ahead, engine)
    assert list(dict.fromkeys(name for name, _ in seen)) == ["lull", "Moss"]
    done = [count for _, count in seen]
    assert done == sorted(done)
    assert all(after - before <= STEP_TOKENS for before, after in pairwise(done))
    for expected in (LULL, MOSS):
        turns = [{"role": "system", "content": expected.instruction}, {"role": "user", "content": "hi"}]
        answer = await engine.client.post("/v1/chat/completions", json={"messages": turns, "max_tokens": 1})
        assert answer.json()["timings"]["prompt_n"] < STEP_TOKENS


async def test_another_engine_reads_again(engine: Engine) -> None:
    ahead = ReadAhead()
    ahead.expect(Reading(prompts=[LULL]))
    assert await read(ahead, engine)
    assert ahead.report() is None
    assert await read(ahead, engine)


async def test_nothing_is_read_while_somebody_calls(engine: Engine) -> None:
    ahead, precedence = ReadAhead(), Precedence()
    ahead.expect(Reading(prompts=[LULL]))
    reading = asyncio.create_task(ahead.read_into(engine, precedence))
    async with precedence.caller():
        before = ahead.report()
        await asyncio.sleep(0.1)
        assert ahead.report() == before
    while ahead.report() != before or before is None:
        before = ahead.report()
        if before is not None and before.done_tokens:
            break
        await asyncio.sleep(0.005)
    reading.cancel()
    with suppress(asyncio.CancelledError):
        await reading


def test_the_agent_of_a_prompt_is_known_by_its_instruction() -> None:
    ahead = ReadAhead()
    ahead.expect(Reading(prompts=[LULL, MOSS]))
    assert ahead.name_of([{"role": "system", "content": MOSS.instruction}]) == "Moss"
    assert ahead.name_of([{"role": "system", "content": "another"}]) == ""
    assert ahead.name_of([]) == ""
