"""Local clouds of tests, and lull's own programs: forked of a process that has imported lull.

What a part or a program imports is most of the processor time of its start.
"""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from tempfile import TemporaryFile
from typing import Any

from local.cloud import CloudSpec
from local.forks import set_preload, start_fork
from local.parts import PARTS, PRELOAD
from local.processes import ROOT

#: what parts are forked with
OF_PARTS = (*PRELOAD, "tests.preload")
#: parts that import less by themselves than what is imported to be forked
FEW = 2
#: what programs are forked with; the last has read what bundles are made of
OF_PROGRAMS = (*OF_PARTS, "tests.operations.beforehand")


def forked(**how: Any) -> CloudSpec:
    """A local cloud whose parts are forked, if they are so many that it pays."""
    return CloudSpec(preload=OF_PARTS if len(how.get("parts", PARTS)) > FEW else (), **how)


def run_forked(argv: Sequence[str], env: Mapping[str, str], said: str = "") -> subprocess.CompletedProcess[str]:
    """`python -m MODULE …`, ended, with what it is told; the test's own time-out bounds it. Linux alone."""
    _set_preload()
    command = [sys.executable, "-m", *argv]
    with TemporaryFile("w+") as given, TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        given.write(said)
        given.seek(0)
        fork = start_fork(command, env, str(ROOT), (given.fileno(), out.fileno(), err.fileno()))
        fork.join()
        told = [(file.seek(0), file.read())[1] for file in (out, err)]
    return subprocess.CompletedProcess(command, fork.exitcode or 0, *told)


@cache
def _set_preload() -> None:
    set_preload(OF_PROGRAMS)
