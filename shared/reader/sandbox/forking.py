"""Forks: each thing that strangers made is parsed in one of its own, with bounds that the kernel holds it to.

The fork has little time and memory, knows nothing else that was parsed, and dies with its answer.
"""

import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

#: a fork's status where what it parsed took more memory than it may
OUT_OF_MEMORY = 3


@dataclass(frozen=True, kw_only=True)
class ForkLimits:
    """What one fork may take; memory is counted besides what the process begins with."""

    #: by the clock, and of the processor
    wall_s: int
    cpu_s: int
    memory_bytes: int
    answer_bytes: int


@dataclass(frozen=True)
class ForkResult:
    """What a fork said, and how it ended: 0 if it ended well, below 0 if the kernel ended it."""

    answer: bytes
    status: int


def run_in_fork(work: Callable[[], bytes], limits: ForkLimits) -> ForkResult:
    """Do something in a fork. An answer that is too long is cut, and then the status is not 0."""
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
    """The fork's life; it never returns."""
    status = 1
    try:
        # what parsers complain of, and where they fail, has words of strangers in it
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
    """Bound what the fork may cost. One that exceeds it is killed by the kernel, whatever the parser is doing."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(limits.wall_s)
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    with suppress(OSError, ValueError):  # not every system bounds memory so
        begun = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (begun + limits.memory_bytes, begun + limits.memory_bytes))
