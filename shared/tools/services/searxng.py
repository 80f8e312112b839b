"""Web search by a SearXNG instance (docs.searxng.org/dev/search_api)."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlencode

from pydantic import BaseModel, ValidationError

from shared.base.errors import ToolFailed
from shared.tools.services.fetching import Fetcher
from shared.values.chat_key import ChatKey
from shared.values.evolve import FrozenModel
from shared.values.prompt import SearchResult, SearchResults

_UNREADABLE: Final = "The search engine's answer cannot be read. Say that nothing can be searched just now."


class _Result(FrozenModel):
    url: str
    title: str | None = None
    content: str | None = None


class _Answer(BaseModel):
    results: list[Any]


class SearXng:
    """Search by a SearXNG instance, which must allow the format `json` (`search.formats` in its settings.yml)."""

    def __init__(self, address: str, fetcher: Fetcher) -> None:
        """`address` must not end with a slash."""
        self._address, self._fetcher = address, fetcher

    async def search(self, query: str, chat: ChatKey, person: int) -> SearchResults:
        """Return the results, the best one first. Raises ToolFailed."""
        asked = urlencode({"q": query, "format": "json", "safesearch": "1"}, errors="ignore")
        text = await self._fetcher.text(f"{self._address}/search?{asked}")
        try:
            listed = _Answer.model_validate_json(text).results
        except ValidationError:
            raise ToolFailed(_UNREADABLE) from None
        pages = tuple(_read(listed))
        if listed and not pages:
            raise ToolFailed(_UNREADABLE)
        return SearchResults(results=pages)


def _read(listed: Sequence[Any]) -> Iterator[SearchResult]:
    """Yield the valid results; invalid ones are skipped."""
    for one in listed:
        with suppress(ValidationError):
            found = _Result.model_validate(one)
            yield SearchResult(title=found.title or "", url=found.url, snippet=found.content or "")
