"""Forks of a process: each untrusted file or page is parsed in its own fork, within limits that the kernel enforces.

A fork has little time and memory, gets one input only, and ends after its answer.
"""

import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

#: the exit status of a fork that has run out of memory
OUT_OF_MEMORY = 3


@dataclass(frozen=True, kw_only=True)
class ForkLimits:
    """The limits of one fork. The memory limit is in addition to the memory that the process already has."""

    #: the maximum seconds by the clock; and below, of processor time
    wall_s: int
    cpu_s: int
    memory_bytes: int
    answer_bytes: int


@dataclass(frozen=True)
class ForkResult:
    """The answer of a fork, and its exit status: 0 for success, below 0 if the kernel killed the fork."""

    answer: bytes
    status: int


def run_in_fork(work: Callable[[], bytes], limits: ForkLimits) -> ForkResult:
    """Run a function in a fork. A result that is too long is cut, and then the status is not 0."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _work(work, writer, limits)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read(limits.answer_bytes)
    return ForkResult(answer, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _work(work: Callable[[], bytes], writer: int, limits: ForkLimits) -> None:
    """Do the work inside the fork; never returns."""
    status = 1
    try:
        # the messages and tracebacks of parsers may contain text of the input
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
        _limit(limits)
        with os.fdopen(writer, "wb") as out:
            out.write(work())
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    finally:
        os._exit(status)


def _limit(limits: ForkLimits) -> None:
    """Set the limits of the fork. If the fork exceeds one, the kernel kills it, whatever the parser is doing."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(limits.wall_s)
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    with suppress(OSError, ValueError):  # not every system can limit memory this way
        begun = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (begun + limits.memory_bytes, begun + limits.memory_bytes))
