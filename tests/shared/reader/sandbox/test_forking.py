"""Forks end with their work, however it ends."""

import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shared.reader.sandbox.forking import OUT_OF_MEMORY, ForkLimits, run_in_fork

WORDS = "words of strangers"
BOUNDS = ForkLimits(wall_s=20, cpu_s=20, memory_bytes=64 * 1_048_576, answer_bytes=1_000)


def _for_ever() -> bytes:
    while True:
        pass


def _sleeps() -> bytes:
    time.sleep(9)
    return b""


def _writes(folder: Path) -> bytes:
    (folder / "found").write_bytes(b"something")
    return b"done"


def _fails() -> bytes:
    raise KeyError(WORDS)


def test_an_answer_comes_back() -> None:
    forked = run_in_fork(lambda: b"tea", BOUNDS)
    assert (forked.answer, forked.status) == (b"tea", 0)


@pytest.mark.parametrize(
    ("work", "bounds", "status"),
    [
        (_for_ever, ForkLimits(wall_s=20, cpu_s=1, memory_bytes=1 << 26, answer_bytes=9), -signal.SIGKILL),
        (_sleeps, ForkLimits(wall_s=1, cpu_s=9, memory_bytes=1 << 26, answer_bytes=9), -signal.SIGALRM),
        (lambda: bytes(200 * 1_048_576), BOUNDS, OUT_OF_MEMORY),
        (_fails, BOUNDS, 1),
    ],
    ids=["processor", "clock", "memory", "error"],
)
def test_one_that_takes_too_much_ends(work: Callable[[], bytes], bounds: ForkLimits, status: int) -> None:
    forked = run_in_fork(work, bounds)
    assert (forked.answer, forked.status) == (b"", status)


def test_one_that_fails_says_nothing_of_what_it_read(capfd: pytest.CaptureFixture[str]) -> None:
    run_in_fork(_fails, BOUNDS)
    print("after", file=sys.stderr)
    said = capfd.readouterr().err  # of the process itself gRPC may say that it was forked
    assert said.endswith("after\n")
    assert WORDS not in said


def test_one_that_says_too_much_did_not_end_well() -> None:
    forked = run_in_fork(lambda: bytes(2_000_000), BOUNDS)
    assert len(forked.answer) == BOUNDS.answer_bytes
    assert forked.status != 0


def test_one_writes_no_file(tmp_path: Path) -> None:
    assert run_in_fork(lambda: _writes(tmp_path), BOUNDS).status != 0
    assert (tmp_path / "found").read_bytes() == b""
