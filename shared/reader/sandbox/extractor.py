"""The extractor: lets separate processes (process.py) parse pages."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from shared.base.errors import ExtractionFailed, ParserBusy, ParserFailed
from shared.reader.reading_sentences import BUSY, NO_TEXT
from shared.reader.sandbox.process import MEMORY_BYTES, MOST_ANSWER, WALL_S
from shared.reader.sandbox.worker_pool import WorkerPool
from shared.values.page import PageResult

if TYPE_CHECKING:
    from shared.reader.web.fetcher import FetchedPage

#: the number of pages that are parsed at once; an instance has one processor
AT_ONCE: Final = 2
#: the maximum seconds for a page, including its wait, the pipes, and the start of a process that imports the parsers
WHOLE_S: Final = WALL_S + 6.0


def page_parsers(at_once: int = AT_ONCE, whole_s: float = WHOLE_S, memory_bytes: int = MEMORY_BYTES) -> WorkerPool:
    """Return the pool that parses pages. `memory_bytes`: a page's limit, in addition to the process's own memory."""
    command = ("shared.reader.sandbox.process", str(memory_bytes))
    return WorkerPool(command=command, at_once=at_once, whole_s=whole_s, most_head=2 * MOST_ANSWER)


@dataclass
class SandboxedExtractor:
    """Extracts text in separate processes, which end with the instance. There is one extractor in each instance."""

    pool: WorkerPool = field(default_factory=page_parsers)

    async def extract(self, page: FetchedPage) -> PageResult:
        """Return the text of a page. Raises ExtractionFailed, also if the page takes too much time or memory."""
        try:
            head, _ = await self.pool.answer({"url": page.url, "content_type": page.content_type}, page.body)
        except ParserBusy:
            raise ExtractionFailed(BUSY) from None
        except ParserFailed:
            raise ExtractionFailed(NO_TEXT) from None
        read = _page_in(head)
        if read.problem:
            raise ExtractionFailed(read.problem)
        return read

    async def aclose(self) -> None:
        await self.pool.aclose()


def _page_in(answer: bytes) -> PageResult:
    """Return the page in a process's answer. Raises ExtractionFailed if there is none because the parser crashed."""
    try:
        text = json.loads(answer)["page"]
        return PageResult.model_validate_json(text)
    except (ValueError, TypeError, KeyError, ValidationError, RecursionError):
        raise ExtractionFailed(NO_TEXT) from None
