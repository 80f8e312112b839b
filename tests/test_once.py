"""A service that exists once in a run is shared by all its users, and ends with the last, even a killed one."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local.processes import ROOT
from tests.local.watching import is_alive, wait_until
from tests.once import RUN

ASKS = """
import sys
from tests.once import once
print(once("tests.test_once:kept"), flush=True)
sys.stdin.read()
"""


@contextmanager
def kept(folder: Path) -> Iterator[str]:
    yield f"{os.getpid()} {folder}"


def asks(run: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", ASKS],
        cwd=ROOT, env=os.environ | {RUN: run}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_it_is_started_by_the_first_and_ends_with_the_last_who_was_killed() -> None:
    run = uuid.uuid4().hex
    with asks(run) as first, asks(run) as second:
        assert first.stdout is not None
        assert second.stdout is not None
        made, again = first.stdout.readline(), second.stdout.readline()
        assert made == again
        pid, folder = int(made.split()[0]), Path(made.split()[1])
        first.communicate()
        assert is_alive(pid)
        assert folder.exists()
        second.kill()
        second.communicate()
    wait_until(lambda: not is_alive(pid) and not folder.exists())
