import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from local.processes import ROOT
from local.run_record import (
    AlreadyRuns,
    PartRecord,
    RunRecord,
    State,
    hold_folder,
    read_record,
    wait_until_unlocked,
    write_record,
)
from operations.running import record_file

PART = PartRecord(pid=1, url="http://127.0.0.1:2", state=State.RESTARTING, since=3.0)
RECORD = RunRecord(page="http://127.0.0.1:1", parts={"tick": PART}, control_port=4, control_key="a-key")
HOLDER = "import sys, time\nfrom pathlib import Path\nfrom local.run_record import hold_folder\n\
with hold_folder(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(600)\n"


def test_a_record_is_read_as_it_was_written_and_by_this_user_alone(tmp_path: Path) -> None:
    write_record(tmp_path, RECORD)
    assert read_record(tmp_path) == RECORD
    assert stat.S_IMODE(record_file(tmp_path).stat().st_mode) == 0o600
    assert "a-key" not in repr(RECORD)


def test_the_record_of_a_process_that_is_gone_counts_for_nothing(tmp_path: Path) -> None:
    assert read_record(tmp_path) is None
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    write_record(tmp_path, replace(RECORD, pid=int(ended.stdout)))
    assert read_record(tmp_path) is None
    write_record(tmp_path, replace(RECORD, since=time.time() - 10**6))  # a younger process got the pid
    assert read_record(tmp_path) is None


def test_a_folder_is_held_once_and_free_again_when_the_holder_is_killed(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    holder.stdout.readline()
    assert not wait_until_unlocked(tmp_path, 0)
    with pytest.raises(AlreadyRuns, match="just starting or stopping"), hold_folder(tmp_path):
        pass
    write_record(tmp_path, RECORD)
    with pytest.raises(AlreadyRuns, match=r"at http://127\.0\.0\.1:1 \(process \d+\)"), hold_folder(tmp_path):
        pass
    holder.kill()
    holder.wait()
    holder.stdout.close()
    with hold_folder(tmp_path):
        pass
    assert wait_until_unlocked(tmp_path, 0)
