"""The ports to the web: what reads pages for the model, and inside of that, what fetches them and takes their text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.models.page import PageRead


class PageReader(Protocol):
    """What reads pages that strangers wrote: another function, which holds nothing."""

    async def read(self, url: str, *, is_automatic: bool) -> PageRead:
        """What came of reading one address; a failure of any kind is told in `problem`.

        `is_automatic`: no person wrote it, so the site is asked whether programs may read it on their own.
        """


@dataclass(frozen=True)
class Fetched:
    """What stood at an address: where it was found behind all redirects, its type as the server says, its bytes."""

    url: str
    content_type: str
    body: bytes


class Fetcher(Protocol):
    """What asks the web."""

    async def fetch(self, url: str, *, is_automatic: bool) -> Fetched:
        """What stands at an address. Raises FetchFailed."""


class Extractor(Protocol):
    """What takes the text out of a page, where it can do no harm."""

    async def extract(self, page: Fetched) -> PageRead:
        """The page's text, shortened to what is shown. Raises ExtractionFailed."""
