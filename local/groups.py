"""Process groups: end a part together with all processes that it started."""

import ctypes
import errno
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

PR_SET_PDEATHSIG = 1  # linux/prctl.h

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


#: A program whose arguments are its parent's pid and the command that replaces it. It does not run the command if the
#: parent ended before `prctl` was called, since then no signal would come.
_TIED = f"""
import ctypes, os, sys
parent, *command = sys.argv[1:]
ctypes.CDLL(None).prctl({PR_SET_PDEATHSIG}, {signal.SIGTERM.value})
if os.getppid() == int(parent):
    os.execvp(command[0], command)
"""


def end_with_parent() -> None:
    """Ask the kernel to send this process SIGTERM when its parent ends. Does nothing on systems other than Linux."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def tied_to_parent(command: Sequence[str], path: str | None = None) -> Sequence[str]:
    """Return a command that runs `command` as a child process. The kernel sends the child SIGTERM when the process that
    called this function ends.

    A `preexec_fn` could do the same, but would run Python in a fork of a process that may have threads, and sometimes
    crash there. `path` lists the folders to search for programs, as PATH does. On systems other than Linux, `command`
    is returned unchanged.

    Raises FileNotFoundError if there is no such program.
    """
    program = shutil.which(command[0], path=path)
    if program is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command[0])
    if sys.platform != "linux":
        return command
    return (sys.executable, "-I", "-S", "-c", _TIED, str(os.getpid()), program, *command[1:])


def kill_group(pid: int) -> None:
    """Kill the process group of `pid`: a part and all processes that it started. Does nothing if they have ended."""
    with suppress(ProcessLookupError, PermissionError):  # macOS raises EPERM for a group that has only zombies
        os.killpg(pid, signal.SIGKILL)


def ask_to_end(pid: int) -> None:
    """Send SIGTERM only to the leader of a process group; the leader then ends its children itself. Does nothing if the
    leader has ended.
    """
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
