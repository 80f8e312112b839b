"""What a search of the web found."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """One page that was found; all of its texts were written by strangers."""

    title: str
    url: str
    #: what the page says, in a few words; empty: that is not known
    snippet: str = ""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What came of a search: pages, the best first, and where the same search can be read by people."""

    results: tuple[SearchResult, ...]
    #: addresses of the search engine's own pages, where its terms want them shown beside what it found
    shown_with: tuple[str, ...] = ()
