"""Child processes that parse: given one thing each, a few at a time, and replaced where one is gone."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from shared.base.errors import NoAnswer, NoTurn
from shared.base.logs import log
from shared.base.root import ROOT
from shared.reader.sandbox.frames import LENGTHS, frame_head


@dataclass(kw_only=True)
class WorkerPool:
    """Those of one kind; they end with their parent."""

    #: a module and its arguments
    command: tuple[str, ...]
    #: how many things are parsed at once, and how long one may take with the wait for its turn
    at_once: int
    whole_s: float
    #: of an answer's header and bytes
    most_head: int
    most_body: int = 0
    idle: list[Process] = field(default_factory=list)
    _gate: asyncio.Semaphore | None = None

    async def answer(self, header: Mapping[str, Any], body: bytes) -> tuple[bytes, bytes]:
        """What a child answers: a header in JSON, and bytes. Raises NoTurn and NoAnswer."""
        self._gate = self._gate or asyncio.Semaphore(self.at_once)
        until = asyncio.get_running_loop().time() + self.whole_s
        try:
            async with asyncio.timeout_at(until):
                await self._gate.acquire()
        except TimeoutError:
            raise NoTurn("too much else is parsed just now") from None
        try:
            return await self._ask_process(header, body, until)
        finally:
            self._gate.release()

    async def aclose(self) -> None:
        """End the processes."""
        while self.idle:
            process = self.idle.pop()
            _kill(process)
            await process.wait()

    async def _process(self) -> Process:
        """One that waits for work; those that have ended meanwhile are forgotten."""
        while self.idle:
            if (process := self.idle.pop()).returncode is None:
                return process
        command = (sys.executable, "-m", *self.command)
        return await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=ROOT)

    async def _ask_process(self, header: Mapping[str, Any], body: bytes, until: float) -> tuple[bytes, bytes]:
        """What a process answers. One that does not answer is ended, and so is one that nobody waits for."""
        process = await self._process()
        is_well = False
        try:
            async with asyncio.timeout_at(until):
                answer = await self._exchange(process, header, body)
            is_well = True
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            log("a parsing process was ended")
            raise NoAnswer("a parsing process was ended") from None
        finally:
            if is_well:
                self.idle.append(process)
            else:
                _kill(process)
        return answer

    async def _exchange(self, process: Process, header: Mapping[str, Any], body: bytes) -> tuple[bytes, bytes]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(frame_head(header, len(body)))
        process.stdin.write(body)
        await process.stdin.drain()
        head, length = LENGTHS.unpack(await process.stdout.readexactly(LENGTHS.size))
        if head > self.most_head or length > self.most_body:
            raise OSError("an answer is longer than it can be")
        return await process.stdout.readexactly(head), await process.stdout.readexactly(length)


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):  # it has ended by itself
        process.kill()
