"""The parsing process: `python -m shared.reader.sandbox.process BYTES`.

BYTES is the memory limit for a page, in addition to the process's own memory. The process imports the parsers once,
which takes most of a second, and forks for each page (forking.py). A fork returns only the page as the model gets it.
"""

import sys
from contextlib import suppress
from typing import Final

from shared.base.errors import ExtractionFailed
from shared.reader.extract.extraction import extract_text
from shared.reader.sandbox.forking import ForkLimits, run_in_fork
from shared.reader.sandbox.frames import pack_frame, read_frame
from shared.values.page import LONGEST_PAGE, LONGEST_TITLE, PageResult

#: the maximum seconds for a page by the clock; and below, of processor time
WALL_S: Final = 8
CPU_S: Final = 6
#: the default for BYTES
MEMORY_BYTES: Final = 400 * 1_048_576
#: the maximum bytes of an answer; a page has at most 40,000 characters of up to 4 bytes
MOST_ANSWER: Final = 1_048_576


def main() -> None:
    """Parse one page after the other, until the parent process is gone."""
    limits = ForkLimits(wall_s=WALL_S, cpu_s=CPU_S, memory_bytes=int(sys.argv[1]), answer_bytes=MOST_ANSWER)
    _warm_up()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while (request := read_frame(requests)) is not None:
        answers.write(pack_frame({"page": _page_in_fork(*request, limits)}))
        answers.flush()


def _warm_up() -> None:
    """Import everything that the first page needs."""
    with suppress(ExtractionFailed):
        extract_text(b"<html><body><article><p>Hello.</p></article></body></html>", "text/html", "https://a.example/")


def _page_in_fork(header: dict[str, str], body: bytes, limits: ForkLimits) -> str | None:
    """Return the page as JSON; None if the fork failed."""
    forked = run_in_fork(lambda: _page(header, body).encode(), limits)
    return forked.answer.decode() if forked.status == 0 else None


def _page(header: dict[str, str], body: bytes) -> str:
    url = header["url"]
    try:
        found = extract_text(body, header["content_type"], url)
    except ExtractionFailed as failure:
        return PageResult(asked=url, url=url, problem=str(failure)).model_dump_json()
    text = found.text
    page = PageResult(
        asked=url,
        url=url,
        title=found.title[:LONGEST_TITLE],
        kind=found.kind,
        text=text[:LONGEST_PAGE],
        is_cut=len(text) > LONGEST_PAGE,
    )
    return page.model_dump_json()


if __name__ == "__main__":
    main()
