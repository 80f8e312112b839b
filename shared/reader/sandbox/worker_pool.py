"""A pool of parsing processes: each parses one thing at a time, and a dead one is replaced."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from shared.base.errors import ParserBusy, ParserFailed
from shared.base.logs import log
from shared.base.root import ROOT
from shared.reader.sandbox.frames import LENGTHS, frame_head


@dataclass(kw_only=True)
class WorkerPool:
    """Processes of one kind. They end with their parent."""

    #: the module and its arguments
    command: tuple[str, ...]
    #: things parsed at once, and seconds for one of them with its wait
    at_once: int
    whole_s: float
    #: most bytes of an answer's header and of its body
    most_head: int
    most_body: int = 0
    idle: list[Process] = field(default_factory=list)
    _gate: asyncio.Semaphore | None = None

    async def answer(self, header: Mapping[str, Any], body: bytes) -> tuple[bytes, bytes]:
        """Return a worker's answer: a JSON header, and bytes. Raises ParserBusy and ParserFailed."""
        self._gate = self._gate or asyncio.Semaphore(self.at_once)
        until = asyncio.get_running_loop().time() + self.whole_s
        try:
            async with asyncio.timeout_at(until):
                await self._gate.acquire()
        except TimeoutError:
            raise ParserBusy(f"no parsing process became free within {self.whole_s:g} s") from None
        try:
            return await self._ask_process(header, body, until)
        finally:
            self._gate.release()

    async def aclose(self) -> None:
        while self.idle:
            process = self.idle.pop()
            _kill(process)
            await process.wait()

    async def _process(self) -> Process:
        """Return an idle process, or start one. Dead ones are dropped."""
        while self.idle:
            if (process := self.idle.pop()).returncode is None:
                return process
        command = (sys.executable, "-m", *self.command)
        return await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=ROOT)

    async def _ask_process(self, header: Mapping[str, Any], body: bytes, until: float) -> tuple[bytes, bytes]:
        """Ask a process. It is killed if it does not answer, or if the caller no longer waits."""
        process = await self._process()
        is_well = False
        try:
            async with asyncio.timeout_at(until):
                answer = await self._exchange(process, header, body)
            is_well = True
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            log("a parsing process was ended")
            raise ParserFailed("a parsing process was ended") from None
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
            raise OSError(f"answer too long: {head} + {length} bytes; at most {self.most_head} + {self.most_body}")
        return await process.stdout.readexactly(head), await process.stdout.readexactly(length)


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):  # it has already ended
        process.kill()
