"""Local clouds of tests, and lull's own programs: forked of a process that has imported lull, once for a worker.

What a part or a program imports is most of the processor time of its start. Firestore's emulator runs once for a whole
run: each cloud has a project of its own in it.
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

#: what parts are forked with
OF_PARTS = (*PRELOAD, "tests.preload")
#: what programs are forked with; the last has read what bundles are made of
OF_PROGRAMS = (*OF_PARTS, "tests.operations.beforehand")


#: the most memory for all that a run writes: the emulator keeps each version of each document
HEAP = "2304m"
LOOK_S = 0.02

_clouds = itertools.count(1)


def forked(*, has_own_firestore: bool = False, has_menus: bool = False, **how: Any) -> CloudSpec:
    """A local cloud whose parts are forked; one that `has_own_firestore` may end it, or fill it."""
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
    """Those of all clouds of this worker: what is preloaded is imported once for them."""
    processes = Processes(Path(tempfile.mkdtemp(prefix="lull-")), OF_PARTS)
    atexit.register(processes.close)
    return processes


@contextmanager
def emulator(_: Path) -> Iterator[str]:
    """Host and port of an emulator, without a relay before it; it is never renewed."""
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
    """`python -m MODULE …`, ended, with what it is told; the test's own time-out bounds it. Linux alone."""
    _set_preload()
    command = [sys.executable, "-m", *argv]
    with (
        tempfile.TemporaryFile("w+") as given,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        given.write(said)
        given.seek(0)
        fork = start_fork(command, env, str(ROOT), (given.fileno(), out.fileno(), err.fileno()))
        fork.join()
        told = [(file.seek(0), file.read())[1] for file in (out, err)]
    return subprocess.CompletedProcess(command, fork.exitcode or 0, *told)


@cache
def _set_preload() -> None:
    set_preload(OF_PROGRAMS)
