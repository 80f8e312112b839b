from pathlib import Path

import httpx
import pytest

from local.parts import CloudPart
from local.readiness import PartFailed, Started, is_ready, last_lines, wait_until_ready

SILENT = CloudPart(name="silent", argv=(), env={}, health="http://127.0.0.1:1/")
PLAIN = CloudPart(name="plain", argv=(), env={})


def test_a_part_without_a_health_check_is_ready_while_it_runs(tmp_path: Path) -> None:
    wait_until_ready([Started(part=PLAIN, log=tmp_path / "log", exit_code=lambda: None)])
    with pytest.raises(PartFailed, match=r"plain ended with exit code 3 before it was ready.*\n\(nothing\)"):
        wait_until_ready([Started(part=PLAIN, log=tmp_path / "log", exit_code=lambda: 3)])


def test_one_that_never_answers_is_given_up_with_what_it_said(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("first\nlast\n")
    with pytest.raises(PartFailed, match=r"(?s)silent did not answer within 0 s.*first\nlast$") as failed:
        wait_until_ready([Started(part=SILENT, log=tmp_path / "log", exit_code=lambda: None)], patience_s=0.1)
    assert failed.value.part == "silent"


def test_nobody_there_is_not_ready() -> None:
    with httpx.Client() as client:
        assert not is_ready(SILENT, client)
        assert is_ready(PLAIN, client)


def test_the_last_lines_of_a_long_log(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("".join(f"{n:0100}\n" for n in range(1000)))
    assert [int(line) for line in last_lines(tmp_path / "log", 3).splitlines()] == [997, 998, 999]
    assert last_lines(tmp_path / "none") == ""
