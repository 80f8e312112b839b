"""A process that makes one request and prints when it is answered, to be killed by a blow."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from benchmarks.relay.ledger import Request
from local.processes import ROOT


@dataclass(frozen=True)
class Caller:
    """The process, and the blow that ends it."""

    process: asyncio.subprocess.Process

    async def strike(self, _: Request) -> None:
        """Kill the process with SIGKILL."""
        self.process.kill()
        await self.process.wait()

    async def goes(self) -> tuple[int, str]:
        """Let it make its request; return its exit code (negative for a signal) and its output."""
        out, _ = await self.process.communicate(b"go\n")
        return self.process.returncode or 0, out.decode()


@asynccontextmanager
async def caller(code: str, *arguments: str) -> AsyncIterator[Caller]:
    """Yield a Python process that waits for a line on its input, then runs some code."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", f"import sys; sys.stdin.readline()\n{code}\nprint('answered')", *arguments),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield Caller(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
