"""Run `python -m MODULE …` as a new program, or forked from a process that has imported the module.

Besides Terraform, most processor time goes into imports of the operator's commands and into reading the functions for
their bundles. The tests here run such commands about eighty times.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from local.processes import ROOT
from tests.forking import run_forked

#: takes a module with its arguments, the whole environment and the typed input; returns the ended program
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


def typed_at_a_terminal(code: str, answers: Mapping[str, str], end: str) -> str:
    """Run Python code at a terminal, type each answer once its question is shown, and return all that was shown.

    `end` is shown last.
    """
    leader, follower = os.openpty()
    command, seen = [sys.executable, "-c", code], ""
    with subprocess.Popen(
        command, cwd=ROOT, stdin=follower, stdout=follower, stderr=follower, start_new_session=True
    ) as asked:
        os.close(follower)
        for question, answer in {**answers, end: ""}.items():
            while question not in seen:
                seen += os.read(leader, 1000).decode()
            os.write(leader, f"{answer}\n".encode() if answer else b"")
        assert asked.wait(timeout=60) == 0
    os.close(leader)
    return seen
