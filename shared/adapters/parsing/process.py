"""The parsing process: `python -m shared.adapters.parsing.process BYTES`, with its parent at its pipes' other end.

BYTES is what a page may take besides what the process begins with.

It imports the parsers once, which takes most of a second, and then forks for each page: the fork has little time and
memory, knows no other page, and dies with its answer. What a fork writes is a page for the model and nothing else.
"""

import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from shared.adapters.parsing.frames import packed, read_frame
from shared.errors import ExtractionFailed
from shared.extracting.extraction import extracted
from shared.models.page import LONGEST_PAGE, LONGEST_TITLE, PageRead

#: by the clock, and of the processor
WALL_S: Final = 8
CPU_S: Final = 6
#: what a page may take, unless the parent says otherwise
MEMORY_BYTES: Final = 400 * 1_048_576
#: of an answer; a page has at most 40,000 characters of up to 4 bytes
MOST_ANSWER: Final = 1_048_576


def main() -> None:
    """Answer one page after the other, until the parent is gone."""
    memory = int(sys.argv[1])
    _warm_up()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while (request := read_frame(requests)) is not None:
        header, body = request
        answers.write(packed({"page": _in_fork(header, body, memory)}))
        answers.flush()


def _warm_up() -> None:
    """Import what the first page would import."""
    with suppress(ExtractionFailed):
        extracted(b"<html><body><article><p>Hello.</p></article></body></html>", "text/html", "https://a.example/")


def _in_fork(header: dict[str, str], body: bytes, memory: int) -> str | None:
    """What a fork makes of a page, as JSON; none if it died of it."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            os.close(reader)
            # what parsers complain of, and where they fail, has words of the page in it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
            _limit(memory)
            with os.fdopen(writer, "wb") as out:
                out.write(_page(header, body).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        page = answer.read(MOST_ANSWER)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return page.decode() if status == 0 else None


def _limit(memory: int) -> None:
    """Bound what the page may cost. Whoever exceeds it is killed by the kernel, whatever the parser is doing."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(WALL_S)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    with suppress(OSError, ValueError):  # not every system bounds memory so
        begun = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (begun + memory, begun + memory))


def _page(header: dict[str, str], body: bytes) -> str:
    url = header["url"]
    try:
        found = extracted(body, header["content_type"], url)
    except ExtractionFailed as failure:
        return PageRead(asked=url, url=url, problem=str(failure)).model_dump_json()
    text = found.text
    page = PageRead(
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
