"""Watch processes from outside, and wait for their actions."""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil

from local.processes import ProcessCommand

#: a program that takes SIGINT, and becomes the command in its arguments
_TAKES_INTERRUPTS = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
"""


def interruptible(*command: str) -> list[str]:
    """Return the command, run so that it takes SIGINT: a shell makes its background programs ignore the signal, and
    their children inherit that.
    """
    return [sys.executable, "-c", _TAKES_INTERRUPTS, *command]


def python(code: str, log: Path, *, stop_last: bool = False) -> ProcessCommand:
    """Make a command that runs some Python code."""
    return ProcessCommand(argv=(sys.executable, "-c", code), env={**os.environ}, log=log, stop_last=stop_last)


def wait_until(is_so: Callable[[], object], seconds: float = 15) -> None:
    """Wait until the condition is true; fail after the time limit."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


async def eventually(is_so: Callable[[], Awaitable[object]]) -> None:
    """Wait until the condition is true; the time-out of the test is the limit."""
    while True:
        if await is_so():
            return
        await asyncio.sleep(0.02)


def lines_of(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def is_alive(pid: int) -> bool:
    """Whether the process runs; a zombie does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def family_of(pid: int) -> list[int]:
    """List a process and all its descendants."""
    process = psutil.Process(pid)
    return [pid, *(child.pid for child in process.children(recursive=True))]
