"""Finding the lull that runs on this machine."""

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from infra.bundle import ROOT
from local.run_record import RunRecord, write_record
from operations.running import Running, data_folder, is_alive, running_in

RECORD = RunRecord(page="http://127.0.0.1:1", settings={"LULL_QUEUE": "q"}, parts={}, control_port=1, control_key="k")


def test_it_is_found_as_it_wrote_itself_down(tmp_path: Path) -> None:
    assert running_in(tmp_path) is None
    write_record(tmp_path, RECORD)
    assert running_in(tmp_path) == Running(page="http://127.0.0.1:1", settings={"LULL_QUEUE": "q"})


def test_one_that_is_gone_is_not_found(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    write_record(tmp_path, replace(RECORD, pid=int(ended.stdout)))
    assert running_in(tmp_path) is None


def test_a_younger_process_of_the_same_number_is_another() -> None:
    assert is_alive(RECORD.pid, time.time())
    assert not is_alive(RECORD.pid, time.time() - 10**6)


def test_its_folder_is_beside_the_code_unless_another_is_named(tmp_path: Path) -> None:
    assert data_folder({}) == ROOT / ".lull"
    assert data_folder({"LULL_DATA": "other"}) == ROOT / "other"
    assert data_folder({"LULL_DATA": str(tmp_path)}) == tmp_path
    assert data_folder({"LULL_DATA": ""}) == ROOT / ".lull"
    assert data_folder({"LULL_DATA": "~/kept"}) == (Path.home() / "kept").resolve()
