"""Runs `python -m MODULE …` as a program of its own, or forked from a process that has imported the module.

Importing the operator's commands and reading the functions for their bundles takes most of the processor time besides
Terraform's. The tests here run them about eighty times.
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
    """Run a program that imports everything itself."""
    return subprocess.run(
        [sys.executable, "-m", *argv],
        cwd=ROOT, env=env, input=said, capture_output=True, text=True, check=False, timeout=280,
    )  # fmt: skip


def typed(argv: Sequence[str], env: Mapping[str, str], said: str) -> subprocess.CompletedProcess[str]:
    """Run a program forked from one with the imports."""
    return run_forked(argv, env, said) if sys.platform == "linux" else typed_alone(argv, env, said)
