"""The extractor: gives pages to parsing processes, a few at a time, and makes another where one is gone."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from shared.adapters.parsing.frames import packed
from shared.adapters.parsing.process import MEMORY_BYTES, MOST_ANSWER, WALL_S
from shared.errors import ExtractionFailed
from shared.logs import log
from shared.models.page import PageRead
from shared.ports.web import Fetched
from shared.reading.sentences import BUSY, NO_TEXT

#: pages that are parsed at once: an instance has one processor
AT_ONCE: Final = 2
#: with the wait for its turn, for the pipes, and for a process that has to import its parsers first
WHOLE_S: Final = WALL_S + 6.0
_LENGTHS: Final = 8
#: where `shared` is found
_ROOT: Final = Path(__file__).resolve().parents[3]


@dataclass
class ChildExtractor:
    """It is made once per instance; its processes end with it."""

    at_once: int = AT_ONCE
    whole_s: float = WHOLE_S
    #: what a page may take besides what its process begins with
    memory_bytes: int = MEMORY_BYTES
    _idle: list[Process] = field(default_factory=list)
    _gate: asyncio.Semaphore | None = None

    async def extract(self, page: Fetched) -> PageRead:
        """The page's text. Raises ExtractionFailed, also for a page that takes too much."""
        self._gate = self._gate or asyncio.Semaphore(self.at_once)
        until = asyncio.get_running_loop().time() + self.whole_s
        try:
            async with asyncio.timeout_at(until):
                await self._gate.acquire()
        except TimeoutError:
            raise ExtractionFailed(BUSY) from None
        try:
            read = _page_in(await self._answered(page, until))
        finally:
            self._gate.release()
        if read.problem:
            raise ExtractionFailed(read.problem)
        return read

    async def aclose(self) -> None:
        """End the processes."""
        while self._idle:
            await _ended(self._idle.pop())

    async def _process(self) -> Process:
        """One that waits for a page; those that have ended meanwhile are forgotten."""
        while self._idle:
            if (process := self._idle.pop()).returncode is None:
                return process
        return await _started(self.memory_bytes)

    async def _answered(self, page: Fetched, until: float) -> bytes:
        """What a process answers to a page. One that does not answer is ended, and so is one that nobody waits for."""
        process = await self._process()
        is_well = False
        try:
            async with asyncio.timeout_at(until):
                answer = await _exchanged(process, page)
            is_well = True
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            log("a parsing process was ended")
            raise ExtractionFailed(NO_TEXT) from None
        finally:
            if is_well:
                self._idle.append(process)
            else:
                _kill(process)
        return answer


async def _started(memory_bytes: int) -> Process:
    command = (sys.executable, "-m", "shared.adapters.parsing.process", str(memory_bytes))
    return await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=_ROOT)


async def _exchanged(process: Process, page: Fetched) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(packed({"url": page.url, "content_type": page.content_type}, page.body))
    await process.stdin.drain()
    lengths = await process.stdout.readexactly(_LENGTHS)
    head = int.from_bytes(lengths[:4], "big")
    if head > 2 * MOST_ANSWER:
        raise OSError("an answer is longer than a page can be")
    return await process.stdout.readexactly(head)


async def _ended(process: Process) -> None:
    _kill(process)
    await process.wait()


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):  # it has ended by itself
        process.kill()


def _page_in(answer: bytes) -> PageRead:
    """The page of an answer. Raises ExtractionFailed if the page killed whoever read it."""
    try:
        text = json.loads(answer)["page"]
        return PageRead.model_validate_json(text)
    except (ValueError, TypeError, KeyError, ValidationError, RecursionError):
        raise ExtractionFailed(NO_TEXT) from None
