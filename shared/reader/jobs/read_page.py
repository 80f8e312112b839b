"""Fetches a page within limits, and lets a separate process extract its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.base.errors import ExtractionFailed, FetchFailed, FetchForbidden
from shared.base.logs import log
from shared.values.evolve import evolve
from shared.values.page import PageResult

if TYPE_CHECKING:
    from shared.reader.sandbox.extractor import SandboxedExtractor
    from shared.reader.web.fetcher import WebFetcher


@dataclass(frozen=True, kw_only=True)
class PageReader:
    """The dependencies of reading a page: the fetcher, and the extractor."""

    fetcher: WebFetcher
    extractor: SandboxedExtractor


async def read_page(reader: PageReader, url: str, *, is_automatic: bool) -> PageResult:
    """Read one address. If that fails, `problem` in the result says why. Neither address nor content is logged."""
    try:
        page = await reader.fetcher.fetch(url, is_automatic=is_automatic)
        read = await reader.extractor.extract(page)
    except FetchFailed as failure:
        return PageResult(asked=url, problem=str(failure), is_forbidden=isinstance(failure, FetchForbidden))
    except ExtractionFailed as failure:
        why = str(failure)
        return PageResult(asked=url, url=page.url, problem=f"{why[:1].upper()}{why[1:].rstrip('.')}.")
    log("a page was read", kind=read.kind.value, bytes=len(page.body), characters=len(read.text), is_cut=read.is_cut)
    return evolve(read, asked=url)
