"""Programs that begin as forks of a process that has imported what they share: multiprocessing's fork server.

A part that is started by itself spends most of its processor time on imports; eleven parts spend it eleven times. Linux
alone: elsewhere libraries do not bear a fork. A process has one fork server, which begins with the first fork and ends
after the process, however that ends.
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

#: more than a fork has
_MOST_FILES = 1 << 16

_context = get_context("forkserver")


def set_preload(modules: Sequence[str]) -> None:
    """Name the modules that the fork server imports. Nothing once it runs."""
    _context.set_forkserver_preload(list(modules))


def start_fork(argv: Sequence[str], env: Mapping[str, str], cwd: str, files: tuple[int, int, int]) -> ForkServerProcess:
    """Fork `python -m MODULE …`, which leads a group of its own; `files`: its input and its outputs.

    The first one waits until the fork server has imported everything. Raises OSError, also if the fork server ended.
    """
    begun, beginning = _context.Pipe(duplex=False)
    given = [Connection(os.dup(file)) for file in files]
    try:
        process = _context.Process(target=_begin, args=(tuple(argv), dict(env), cwd, given, beginning))
        process.start()
        beginning.close()
        with suppress(EOFError):
            begun.recv_bytes()  # it ends once the fork leads its group, which can be ended
    except EOFError:
        raise OSError(None, "the fork server has ended unexpectedly") from None
    finally:
        for end in (*given, begun, beginning):
            end.close()
    return process


def _begin(
    argv: Sequence[str], env: Mapping[str, str], cwd: str, given: Sequence[Connection], beginning: Connection
) -> None:
    """Become what a process is that was started by itself, and run the program."""
    os.setsid()
    end_with_parent()
    for number, file in enumerate(given):
        os.dup2(file.fileno(), number)
    for end in (*given, beginning):
        end.close()
    # the fork server ends when its pipe is closed everywhere
    os.closerange(3, _MOST_FILES)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115  multiprocessing's own is another file
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    _, _, module, *arguments = argv
    sys.argv = [module, *arguments]
    sys.path[0] = cwd
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except Exception as error:  # multiprocessing would print it itself, and whoever hides secrets is not asked
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)
