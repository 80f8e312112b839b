"""A pool of parsing processes. Each parses one input at a time; a process that died is replaced."""

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
    """The processes for one kind of input. They end with their parent process."""

    #: the module to run and its arguments
    command: tuple[str, ...]
    #: the number of inputs parsed at once; and below, the maximum seconds for an input, including its wait
    at_once: int
    whole_s: float
    #: the maximum bytes of an answer's header; and below, of its body
    most_head: int
    most_body: int = 0
    idle: list[Process] = field(default_factory=list)
    _gate: asyncio.Semaphore | None = None

    async def answer(self, header: Mapping[str, Any], body: bytes) -> tuple[bytes, bytes]:
        """Return a process's answer to an input: a JSON header, and bytes. Raises ParserBusy or ParserFailed."""
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
        """Return a process that is idle, or start one. Processes that have died are dropped."""
        while self.idle:
            if (process := self.idle.pop()).returncode is None:
                return process
        command = (sys.executable, "-m", *self.command)
        return await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=ROOT)

    async def _ask_process(self, header: Mapping[str, Any], body: bytes, until: float) -> tuple[bytes, bytes]:
        """Send an input to a process. The process is killed if it does not answer, or if the caller stops waiting."""
        process = await self._process()
        is_well = False
        try:
            async with asyncio.timeout_at(until):
                answer = await self._exchange(process, header, body)
            is_well = True
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            log("a parsing process was killed")
            raise ParserFailed("a parsing process was killed") from None
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
    with suppress(ProcessLookupError):  # the process has already ended
        process.kill()
