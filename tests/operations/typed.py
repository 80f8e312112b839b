"""`python -m MODULE …` as somebody types it: as a program of its own, or forked of a process that has imported it.

What the owner's commands import, and what `make deploy` reads of the functions' code for their bundles, is most of the
processor time that they take besides Terraform's; the tests here run them some eighty times.
"""

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from local.processes import ROOT
from tests.forking import run_forked

#: a module with its arguments, the whole environment, and what is typed while it runs; what came of it
Typing: TypeAlias = Callable[[Sequence[str], Mapping[str, str], str], subprocess.CompletedProcess[str]]


def typed_alone(argv: Sequence[str], env: Mapping[str, str], said: str) -> subprocess.CompletedProcess[str]:
    """A program that begins with nothing."""
    return subprocess.run(
        [sys.executable, "-m", *argv],
        cwd=ROOT, env=env, input=said, capture_output=True, text=True, check=False, timeout=280,
    )  # fmt: skip


def typed(argv: Sequence[str], env: Mapping[str, str], said: str) -> subprocess.CompletedProcess[str]:
    """A program that begins with what it imports."""
    return run_forked(argv, env, said) if sys.platform == "linux" else typed_alone(argv, env, said)
