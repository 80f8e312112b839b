"""Pages in separate processes: a hostile one is stopped, and the next is still read."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from shared.base.errors import ExtractionFailed
from shared.reader.reading_sentences import BUSY, NO_TEXT
from shared.reader.sandbox.extractor import SandboxedExtractor, page_parsers
from shared.reader.web.fetcher import FetchedPage
from shared.values.page import LONGEST_PAGE, PageKind

TEA = b"<html><head><title>Tea</title></head><body><article><h1>Tea</h1><p>%s</p></article></body></html>"


@pytest_asyncio.fixture(scope="module")
async def extractor() -> AsyncIterator[SandboxedExtractor]:
    """Start an extractor with its processes."""
    made = SandboxedExtractor()
    yield made
    await made.aclose()


def page(body: bytes, content_type: str = "text/html") -> FetchedPage:
    return FetchedPage(url="https://a.example/tea", content_type=content_type, body=body)


async def test_a_page_has_its_text_and_title(extractor: SandboxedExtractor) -> None:
    read = await extractor.extract(page(TEA % (b"Green tea wants water of 80 degrees. " * 5)))
    assert (read.title, read.kind, read.is_cut) == ("Tea", PageKind.HTML, False)
    assert "water of 80 degrees" in read.text


async def test_a_long_page_is_cut(extractor: SandboxedExtractor) -> None:
    read = await extractor.extract(page(b"word " * 20_000, "text/plain"))
    assert (len(read.text), read.is_cut, read.kind) == (LONGEST_PAGE, True, PageKind.TEXT)


async def test_several_pages_are_read_at_once_and_none_is_mixed_up(extractor: SandboxedExtractor) -> None:
    texts = [f"tea number {number}".encode() for number in range(6)]
    read = await asyncio.gather(*(extractor.extract(page(text, "text/plain")) for text in texts))
    assert [one.text.encode() for one in read] == texts


async def test_a_page_that_gets_no_turn_in_time_is_a_sentence() -> None:
    extractor = SandboxedExtractor(page_parsers(at_once=0, whole_s=0.05))
    with pytest.raises(ExtractionFailed) as failure:
        await extractor.extract(page(b"tea", "text/plain"))
    assert str(failure.value) == BUSY


async def test_a_page_without_a_text_is_a_sentence(extractor: SandboxedExtractor) -> None:
    with pytest.raises(ExtractionFailed):
        await extractor.extract(page(bytes(range(9)) * 100, "application/octet-stream"))


async def test_a_page_that_kills_its_process_leaves_the_next_one_alone() -> None:
    extractor = SandboxedExtractor(page_parsers(at_once=1, memory_bytes=8 * 1_048_576))
    await extractor.extract(page(b"small", "text/plain"))
    (before,) = extractor.pool.idle
    # with one character that needs four bytes, all of them have four
    eats = "🍵".encode() + b"y" * 5_000_000
    with pytest.raises(ExtractionFailed) as failure:
        await extractor.extract(page(eats, "text/plain"))
    assert str(failure.value) == NO_TEXT
    assert (await extractor.extract(page(b"still here", "text/plain"))).text == "still here"
    assert extractor.pool.idle == [before]
    await extractor.aclose()


async def test_a_process_that_is_gone_is_replaced() -> None:
    extractor = SandboxedExtractor(page_parsers(at_once=1))
    await extractor.extract(page(b"one", "text/plain"))
    (process,) = extractor.pool.idle
    process.kill()
    await process.wait()
    assert (await extractor.extract(page(b"two", "text/plain"))).text == "two"
    await extractor.aclose()
