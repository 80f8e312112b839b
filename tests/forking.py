"""Starts local clouds and lull's own programs for tests, as forks of a process that has imported lull once per worker.

Imports take most of the processor time of a start. Firestore's emulator runs once for a whole test run, and each cloud
has its own project in it.
"""

import atexit
import itertools
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from local.cloud import CloudSpec
from local.download import download
from local.emulator import Emulator, bring_classes
from local.emulator_jar import bring_jar
from local.forks import set_preload, start_fork
from local.parts import PARTS, PRELOAD
from local.processes import ROOT, Processes
from tests.once import once

#: modules that are imported before parts are forked
OF_PARTS = (*PRELOAD, "tests.preload")
#: modules that are imported before programs are forked; the last one has read the files of bundles
OF_PROGRAMS = (*OF_PARTS, "tests.operations.beforehand")


#: the emulator's memory limit for a whole run, since it retains every version of every document
HEAP = "2304m"
LOOK_S = 0.02

_clouds = itertools.count(1)


def forked(*, has_own_firestore: bool = False, has_menus: bool = False, **how: Any) -> CloudSpec:
    """Return a local cloud whose parts are forked. With `has_own_firestore` it may stop or fill its emulator."""
    parts = how.pop("parts", PARTS)
    how |= {"preload": OF_PARTS, "processes": _processes(), "has_menus": has_menus}
    if has_own_firestore or "firestore" not in parts:
        return CloudSpec(parts=parts, **how)
    return CloudSpec(
        parts=tuple(part for part in parts if part != "firestore"),
        firestore=once("tests.forking:emulator"),
        project=f"lull-{os.getpid()}-{next(_clouds)}",
        **how,
    )


@cache
def _processes() -> Processes:
    """Return the processes of all clouds of this worker, which share one set of imports."""
    processes = Processes(Path(tempfile.mkdtemp(prefix="lull-")), OF_PARTS)
    atexit.register(processes.close)
    return processes


@contextmanager
def emulator(_: Path) -> Iterator[str]:
    """Yield host and port of an emulator without a relay, which is never replaced."""
    bring_jar(os.environ, download)
    bring_classes()
    started = Emulator.start(None, HEAP)
    try:
        while not _serves(started):
            assert started.process.poll() is None, "the emulator ended by itself"
            time.sleep(LOOK_S)
        yield f"{started.host}:{started.port}"
    finally:
        started.stop()


def _serves(started: Emulator) -> bool:
    try:
        with socket.create_connection((started.host, started.port), timeout=5):
            return True
    except OSError:
        return False


def run_forked(argv: Sequence[str], env: Mapping[str, str], said: str = "") -> subprocess.CompletedProcess[str]:
    """Run `python -m MODULE …` to its end with this input. Only on Linux; the test's own time-out limits it."""
    with (
        tempfile.TemporaryFile("w+") as given,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        given.write(said)
        given.seek(0)
        fork = begin_forked(argv, env, (given.fileno(), out.fileno(), err.fileno()))
        fork.join()
        told = [(file.seek(0), file.read())[1] for file in (out, err)]
    return subprocess.CompletedProcess(argv, fork.exitcode or 0, *told)


def begin_forked(argv: Sequence[str], env: Mapping[str, str], files: tuple[int, int, int]) -> ForkServerProcess:
    """Start `python -m MODULE …` with the imports of lull's programs. `files` are its standard input, output and error.

    All forks of a worker come from here: its fork server imports what the first fork asked for.
    """
    _set_preload()
    return start_fork([sys.executable, "-m", *argv], env, str(ROOT), files)


@cache
def _set_preload() -> None:
    set_preload(OF_PROGRAMS)
