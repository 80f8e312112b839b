"""Process groups: how a part ends, with all that it started."""

import ctypes
import os
import signal
import sys
from contextlib import suppress

PR_SET_PDEATHSIG = 1  # linux/prctl.h

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def end_with_parent() -> None:
    """Have the kernel ask this process to end when its parent does; for `preexec_fn`. Nothing outside Linux."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def kill_group(pid: int) -> None:
    """End a part and all that it started, at once; nothing if they are gone."""
    with suppress(ProcessLookupError, PermissionError):  # macOS says EPERM of a group that is only zombies
        os.killpg(pid, signal.SIGKILL)


def ask_to_end(pid: int) -> None:
    """Tell the leader of a group to end, and it alone: how its children end is for it to say. Nothing if it is gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
