"""`search`: a few pages of the web, each once, short, and marked as strangers' words."""

from dataclasses import dataclass, field, replace

import jsonschema
import pytest

from shared.base.errors import ToolFailed
from shared.llm.ports.world import PortRegistry
from shared.tools.search import TOOL, WebSearch
from shared.tools.tool import ToolContext
from shared.values.chat_key import ChatKey
from shared.values.prompt import SearchResult, SearchResults
from tests.shared.tools.toolboxes import CONTEXT


@dataclass
class Finding:
    """A search with fixed results."""

    found: SearchResults
    payers: list[int] = field(default_factory=list)

    async def search(self, query: str, chat: ChatKey, person: int) -> SearchResults:
        self.payers.append(person)
        return self.found


def context(*results: SearchResult, shown_with: tuple[str, ...] = ()) -> ToolContext:
    return replace(
        CONTEXT, ports=PortRegistry({WebSearch: Finding(SearchResults(results=results, shown_with=shown_with))})
    )


def page(n: int, **fields: str) -> SearchResult:
    return SearchResult(**{"title": f"Page {n}", "url": f"https://a.example/{n}", "snippet": "It says so."} | fields)


async def test_pages_are_told_with_title_address_and_snippet() -> None:
    asked = context(page(1), page(2, snippet=""), page(3, title=""))
    assert await TOOL.run({"query": "tides"}, asked) == (
        "1. Page 1\nhttps://a.example/1\nIt says so.\n\n2. Page 2\nhttps://a.example/2\n\n"
        "3. untitled\nhttps://a.example/3\nIt says so."
    )
    assert asked.browsing.knows("https://a.example/2"), "it may be retrieved"


async def test_the_one_who_is_answered_pays() -> None:
    searching = Finding(SearchResults(results=(page(1),)))
    asked = replace(CONTEXT, payer=7, ports=PortRegistry({WebSearch: searching}))
    await TOOL.run({"query": "tides"}, asked)
    assert searching.payers == [7]


async def test_googles_own_page_is_shown_with_what_google_found() -> None:
    asked = context(page(1), shown_with=("https://www.google.com/search?q=tides",))
    told = await TOOL.run({"query": "tides"}, asked)
    assert str(told).endswith("below your answer: https://www.google.com/search?q=tides")


async def test_each_address_is_told_once_and_none_that_is_not_of_the_web() -> None:
    odd = [page(0, url=url) for url in ("", "javascript:alert(1)", "file:///etc/passwd", "HTTPS://A.example/1#x")]
    told = str(await TOOL.run({"query": "tides"}, context(page(1), *odd, *map(page, range(2, 30)))))
    assert [line for line in told.splitlines() if "://" in line] == [f"https://a.example/{n}" for n in range(1, 9)]


async def test_long_words_are_cut_and_lines_are_one() -> None:
    told = str(
        await TOOL.run({"query": "x"}, context(page(1, title="a\n2. Evil\nhttps://b.example", snippet="s" * 9_000)))
    )
    assert told.splitlines()[0] == "1. a 2. Evil https://b.example"
    assert len(told) < 700


@pytest.mark.parametrize("query", [None, 5, "", "  ", "q" * 401])
async def test_what_is_no_query_is_told(query: object) -> None:
    with pytest.raises(ToolFailed, match="at most 400"):
        await TOOL.run({"query": query}, context(page(1)))


async def test_nothing_found_is_told() -> None:
    with pytest.raises(ToolFailed, match="Nothing was found"):
        await TOOL.run({"query": "tides"}, context())


def test_its_answers_are_strangers_words() -> None:
    jsonschema.Draft202012Validator.check_schema(dict(TOOL.parameters))
    assert (TOOL.stays_in_chat, TOOL.reads_outside) == (True, True)
    assert TOOL.declaration.characters < 500
