"""Reading ahead with a real small model: its order, its interruptions, and the prompts that a later start has
at once.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from local.gemini.calls import Json
from local.gemini.engine import Engine, EngineOptions, start_engine
from local.gemini.kept_prompts import KeptPrompts
from local.gemini.precedence import Precedence
from local.gemini.reading import STEP_TOKENS, Expected, ReadAhead, Reader, Reading
from tests.local.gemini.conftest import small_gguf

LULL = "You are lull, a friendly assistant. " * 20
MOSS = "You are Moss, an old gardener, and you say so. " * 20
EXPECTED = Reading(prompts=[Expected(name="lull", instruction=LULL), Expected(name="Moss", instruction=MOSS)])


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    started = await start_engine(small_gguf(), EngineOptions(context=768, threads=2))
    yield started
    await started.stop()


@pytest.fixture
def kept(tmp_path: Path) -> KeptPrompts:
    return KeptPrompts(tmp_path, "SmolLM2")


def asked(instruction: str, words: str = "hello") -> list[Json]:
    return [{"role": "system", "content": instruction}, {"role": "user", "content": words}]


async def cached_share(reader: Reader, messages: list[Json]) -> float:
    """Ask the model, and give the share of the prompt that it had in its memory."""
    await reader.begin(messages)
    async with aclosing(reader.engine.chat({"messages": messages, "max_tokens": 1, "cache_prompt": True})) as chunks:
        usage = [chunk["usage"] async for chunk in chunks if chunk.get("usage")][-1]
    reader.finish()
    return float(usage["prompt_tokens_details"]["cached_tokens"] / usage["prompt_tokens"])


@asynccontextmanager
async def reading(reader: Reader, precedence: Precedence) -> AsyncIterator[None]:
    task = asyncio.create_task(reader.read_ahead(precedence))
    yield
    task.cancel()
    await asyncio.wait({task})


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110 - what it waits for is told to no one
        await asyncio.sleep(0.01)


async def test_the_first_is_read_first_and_later_starts_have_it_at_once(engine: Engine, kept: KeptPrompts) -> None:
    ahead = ReadAhead()
    reader = Reader(engine, ahead, kept)
    order: list[str] = []
    async with reading(reader, Precedence()):
        ahead.expect(EXPECTED)
        await until(lambda: ahead.report() is not None)
        while report := ahead.report():
            assert 0 <= report.done_tokens < report.total_tokens
            order += [report.names[0]] if report.names[0] not in order else []
            await asyncio.sleep(0.01)
    assert order == ["lull", "Moss"]
    assert await cached_share(reader, asked(LULL)) > 0.9
    assert await cached_share(reader, asked(MOSS)) > 0.9

    again = await start_engine(small_gguf(), EngineOptions(context=768, threads=2))
    try:
        later = Reader(again, ReadAhead(), kept)
        assert await cached_share(later, asked(MOSS)) > 0.9
    finally:
        await again.stop()


async def test_a_real_request_interrupts_what_is_read_ahead(engine: Engine) -> None:
    ahead, precedence = ReadAhead(), Precedence()
    reader = Reader(engine, ahead)
    ahead.expect(EXPECTED)
    async with reading(reader, precedence):
        await until(lambda: (report := ahead.report()) is not None and report.done_tokens > 0)
        async with precedence.caller():
            now = ahead.report()
            assert now
            assert now.names == ["lull", "Moss"]
            assert now.done_tokens < 3 * STEP_TOKENS
            assert await cached_share(reader, asked(MOSS)) > 0.9  # it is needed, so all of it is read now
            assert [prompt.is_read for prompt in ahead.prompts] == [False, True]
        await until(lambda: ahead.report() is None)
    assert await cached_share(reader, asked(LULL)) > 0.9


async def test_what_a_request_interrupts_is_read_whole_for_it_and_kept(engine: Engine, kept: KeptPrompts) -> None:
    ahead, precedence = ReadAhead(), Precedence()
    reader = Reader(engine, ahead, kept)
    ahead.expect(Reading(prompts=[EXPECTED.prompts[0]]))
    async with reading(reader, precedence):
        await until(lambda: sum(prompt.done for prompt in ahead.prompts) > 0)
        async with precedence.caller():
            assert not ahead.prompts[0].is_read
            assert await cached_share(reader, asked(LULL)) > 0.9
    assert kept.get(ahead.prompts[0].tokens) is not None


async def test_what_nobody_expected_is_kept_once_it_was_asked(engine: Engine, kept: KeptPrompts) -> None:
    reader = Reader(engine, ReadAhead(), kept)
    await cached_share(reader, asked(LULL))
    await cached_share(reader, asked(MOSS, "something else"))
    assert await cached_share(Reader(engine, ReadAhead(), kept), asked(LULL, "and now?")) > 0.9


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def damaged(folder: Path) -> Iterator[Path]:
    for file in files_in(folder):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        yield file


async def test_a_damaged_file_is_read_anew(engine: Engine, kept: KeptPrompts, tmp_path: Path) -> None:
    await cached_share(Reader(engine, ReadAhead(), kept), asked(LULL))
    assert list(damaged(tmp_path))
    await cached_share(Reader(engine, ReadAhead()), asked(MOSS))  # another prompt is in the engine's memory
    reader = Reader(engine, ReadAhead(), kept)
    assert await cached_share(reader, asked(LULL)) > 0.9
    assert kept.get((await reader._prompt_of(LULL)).tokens)


async def test_without_an_instruction_nothing_is_read_first(engine: Engine, kept: KeptPrompts, tmp_path: Path) -> None:
    await cached_share(Reader(engine, ReadAhead(), kept), [{"role": "user", "content": "hello " * 200}])
    assert files_in(tmp_path) == []


async def test_a_call_that_waits_for_its_instructions_can_be_told_how_far_they_are(engine: Engine) -> None:
    ahead = ReadAhead()
    reader = Reader(engine, ahead)
    assert ahead.report_for_call() is None
    begun = asyncio.create_task(reader.begin(asked(LULL)))
    seen = []
    while not begun.done():
        if now := ahead.report_for_call():
            seen.append(now.done_tokens / now.total_tokens)
        await asyncio.sleep(0.001)
    await begun
    assert len(set(seen)) > 2
    assert seen == sorted(seen)
    assert ahead.report_for_call() is None
