"""Starts programs as forks of a process that has already imported the packages that they share (multiprocessing's fork
server).

A part that is started as a separate program spends most of its processor time on imports, and each of eleven parts
would repeat these imports. Forks avoid this, but work only on Linux: on other systems some libraries do not support
forking. A process has one fork server. The fork server starts with the first fork, and ends when this process has
ended, even if this process is killed.
"""

import os
import runpy
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

from local.groups import end_with_parent

#: more than the largest file descriptor that a fork can have
_MOST_FILES = 1 << 16

_context = get_context("forkserver")


def set_preload(modules: Sequence[str]) -> None:
    """Set the modules that the fork server imports. Has no effect if the fork server is already running."""
    _context.set_forkserver_preload(list(modules))


def start_fork(argv: Sequence[str], env: Mapping[str, str], cwd: str, files: tuple[int, int, int]) -> ForkServerProcess:
    """Fork `python -m MODULE …` as the leader of a new process group. `files` are the file descriptors of its standard
    input, output and error.

    The first call waits until the fork server has imported everything. Raises OSError, also if the fork server ended.
    """
    begun, beginning = _context.Pipe(duplex=False)
    given = [Connection(os.dup(file)) for file in files]
    try:
        process = _context.Process(target=_begin, args=(tuple(argv), dict(env), cwd, given, beginning))
        process.start()
        beginning.close()
        with suppress(EOFError):
            begun.recv_bytes()  # until the fork leads its process group, the group cannot be killed
    except EOFError:
        raise OSError(None, "the fork server has ended unexpectedly") from None
    finally:
        for end in (*given, begun, beginning):
            end.close()
    return process


def _begin(
    argv: Sequence[str], env: Mapping[str, str], cwd: str, given: Sequence[Connection], beginning: Connection
) -> None:
    """Set up this fork like a newly started process, and run the program. `given` become its standard input, output and
    error. `beginning` is closed once the fork leads its process group; `start_fork` waits for this.
    """
    os.setsid()
    end_with_parent()
    for number, file in enumerate(given):
        os.dup2(file.fileno(), number)
    for end in (*given, beginning):
        end.close()
    # the fork server ends when every copy of its pipe is closed
    os.closerange(3, _MOST_FILES)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115  multiprocessing has replaced it by another file
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    _, _, module, *arguments = argv
    sys.argv = [module, *arguments]
    sys.path[0] = cwd
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except Exception as error:  # otherwise multiprocessing would print the error, without the filter that hides secrets
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)
