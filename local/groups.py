"""Process groups: end a part together with all processes that it started."""

import ctypes
import os
import signal
import sys
from contextlib import suppress

PR_SET_PDEATHSIG = 1  # linux/prctl.h

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def end_with_parent() -> None:
    """Have the kernel send this process SIGTERM when its parent ends. To be passed as `preexec_fn`. No effect on other
    systems than Linux.
    """
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def kill_group(pid: int) -> None:
    """Kill the process group of `pid`: a part and all processes that it started. No effect if they have ended."""
    with suppress(ProcessLookupError, PermissionError):  # macOS raises EPERM for a group that has only zombies
        os.killpg(pid, signal.SIGKILL)


def ask_to_end(pid: int) -> None:
    """Send SIGTERM only to the leader of a process group, which then ends its children itself. No effect if the leader
    has ended.
    """
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
