"""What Gemini found when it searched the web (ai.google.dev/gemini-api/docs/google-search); it may be of any shape.

Addresses lead through Google, and stay as they are: its terms want what was found shown unchanged. A title is the
page's domain. What a page says is what the model said by it, which `groundingSupports` tells.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote_plus

from shared.models.search_result import Found, SearchResult

#: where Google's own results for a query are, which its terms want shown beside what was found
_RESULTS_PAGE: Final = "https://www.google.com/search?q="


def found_in(grounding: Mapping[str, Any]) -> Found:
    """The pages, those first that the answer rests on, and Google's own pages for what was searched."""
    said = defaultdict[int, list[str]](list)
    for text, chunks in _supports(grounding.get("groundingSupports")):
        for chunk in chunks:
            said[chunk].append(text)
    pages = [
        SearchResult(title=_text(web, "title"), url=_text(web, "uri"), snippet=" ".join(dict.fromkeys(said[n])))
        for n, web in _webs(grounding.get("groundingChunks"))
    ]
    queries = [query for query in _list(grounding.get("webSearchQueries")) if isinstance(query, str)]
    return Found(
        results=tuple(sorted(pages, key=lambda page: not page.snippet)),
        shown_with=tuple(f"{_RESULTS_PAGE}{quote_plus(query, errors='ignore')}" for query in queries),
    )


def _webs(chunks: object) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The pages with their numbers."""
    for n, chunk in enumerate(_list(chunks)):
        if isinstance(chunk, dict) and isinstance(chunk.get("web"), dict):
            yield n, chunk["web"]


def _supports(supports: object) -> Iterator[tuple[str, list[int]]]:
    """What the answer says, in pieces, each with the numbers of the pages that it is taken from."""
    for support in _list(supports):
        if isinstance(support, dict) and isinstance(support.get("segment"), dict):
            indices = [index for index in _list(support.get("groundingChunkIndices")) if isinstance(index, int)]
            yield _text(support["segment"], "text"), indices


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    return text if isinstance(text, str) else ""
