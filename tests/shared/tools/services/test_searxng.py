"""Search by a SearXNG."""

from collections.abc import AsyncIterator, Iterator

import pytest

from shared.base.errors import ToolFailed
from shared.tools.services.fetching import Fetcher
from shared.tools.services.searxng import SearXng
from shared.values.prompt import SearchResult, SearchResults
from tests.services.world import World, running_world
from tests.shared.examples import KEY


@pytest.fixture(scope="module")
def running() -> Iterator[World]:
    with running_world() as found:
        yield found


@pytest.fixture
async def searxng(running: World) -> AsyncIterator[SearXng]:
    running.forget()
    fetcher = Fetcher({})
    yield SearXng(f"{running.url}/searx", fetcher)
    await fetcher.aclose()


async def test_what_it_finds_is_told_in_its_order(searxng: SearXng, running: World) -> None:
    running.searxng.results = [
        {"url": "https://a.example/1", "title": "Tides", "content": "High at 6."},
        {"url": "https://b.example/", "title": "More", "content": None},
    ]
    first = SearchResult(title="Tides", url="https://a.example/1", snippet="High at 6.")
    found = await searxng.search("припливи & tides", KEY, 5)
    assert found == SearchResults(results=(first, SearchResult(title="More", url="https://b.example/")))
    assert running.searxng.asked == ["припливи & tides"]


async def test_a_result_that_is_odd_spoils_no_other(searxng: SearXng, running: World) -> None:
    running.searxng.results = [{"url": None, "title": "odd"}, {"url": 5}, {"url": "https://a.example/1", "title": None}]
    found = await searxng.search("tides", KEY, 5)
    assert found == SearchResults(results=(SearchResult(title="", url="https://a.example/1"),))


async def test_what_goes_wrong_is_a_sentence(searxng: SearXng, running: World) -> None:
    running.searxng.fails = 403  # its answer while JSON is not allowed
    with pytest.raises(ToolFailed, match="answered 403"):
        await searxng.search("tides", KEY, 5)
    running.searxng.fails, running.searxng.results = 0, [{"title": "no address"}]
    with pytest.raises(ToolFailed, match="cannot be read"):
        await searxng.search("tides", KEY, 5)
