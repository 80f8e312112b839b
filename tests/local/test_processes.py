import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.processes import ROOT, ProcessCommand, ProcessError, Processes
from tests.local.watching import is_alive, lines_of, python, wait_until

#: starts a child and prints its pid, as gunicorn does with its worker
FAMILY = "import subprocess, sys, time; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); \
print(p.pid, flush=True); time.sleep(600)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
)
#: higher than every pid
NOBODY = 2**22 + 1
#: the owner of two processes, which then waits to be killed
OWNER = f"""
import sys, time
from pathlib import Path
from local.processes import Processes
from tests.local.watching import python
processes = Processes()
for n in range(2):
    print(processes.start(python({FAMILY!r}, Path(sys.argv[1]) / f'{{n}}.log')), flush=True)
print(processes.keeper_pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def processes() -> Iterator[Processes]:
    started = Processes()
    yield started
    started.close()


def test_both_outputs_are_logged_and_the_exit_code_is_told(processes: Processes, tmp_path: Path) -> None:
    log = tmp_path / "made" / "a.log"
    pid = processes.start(
        python("import sys; print('out'); print('err', file=sys.stderr); print('no end', end=''); sys.exit(3)", log)
    )
    wait_until(lambda: processes.exit_code(pid) is not None)
    assert processes.exit_code(pid) == 3
    assert sorted(lines_of(log)) == ["err", "no end", "out"]


def test_what_cannot_be_started_says_why(processes: Processes, tmp_path: Path) -> None:
    with pytest.raises(ProcessError, match=r"/nowhere/at/all cannot be started: No such file"):
        processes.start(ProcessCommand(argv=("/nowhere/at/all",), env={}, log=tmp_path / "a.log"))


def test_some_end_and_the_others_go_on(processes: Processes, tmp_path: Path) -> None:
    deaf, quiet, other = (tmp_path / f"{name}.log" for name in ("deaf", "quiet", "other"))
    ending = [processes.start(python(STUBBORN, deaf)), processes.start(python(FAMILY, quiet))]
    lasting = processes.start(python(FAMILY, other))
    wait_until(lambda: all(lines_of(log) for log in (deaf, quiet, other)))
    processes.end(ending, patience_s=0.2)
    assert [processes.exit_code(pid) for pid in ending] == [-signal.SIGKILL, -signal.SIGTERM]
    assert processes.exit_code(lasting) is None


def test_kill_ends_the_whole_group(processes: Processes, tmp_path: Path) -> None:
    pid = processes.start(python(FAMILY, tmp_path / "a.log"))
    wait_until(lambda: lines_of(tmp_path / "a.log"))
    child = int(lines_of(tmp_path / "a.log")[0])
    processes.kill(pid)
    assert processes.exit_code(pid) == -signal.SIGKILL
    wait_until(lambda: not is_alive(child))


def test_children_do_not_outlive_a_leader_that_dies(processes: Processes, tmp_path: Path) -> None:
    pid = processes.start(python(FAMILY, tmp_path / "a.log"))
    wait_until(lambda: lines_of(tmp_path / "a.log"))
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_alive(int(lines_of(tmp_path / "a.log")[0])))


def test_stop_makes_what_will_not_listen(processes: Processes, tmp_path: Path) -> None:
    pid = processes.start(python(STUBBORN, tmp_path / "a.log"))
    wait_until(lambda: lines_of(tmp_path / "a.log"))
    processes.stop(pid, patience_s=0.2)
    assert processes.exit_code(pid) == -signal.SIGKILL


def test_a_number_that_comes_again_is_of_the_process_that_has_it_now(processes: Processes, tmp_path: Path) -> None:
    """A false keeper reports the pid twice: the system would give a pid again only after all others."""
    ours, keeper = socket.socketpair()
    with ours, keeper, pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "_socket", ours)
        for code in (3, 4):
            keeper.sendall(f'{{"pid": {NOBODY}}}\n'.encode())
            assert processes.start(python("pass", tmp_path / "a.log")) == NOBODY
            assert processes.exit_code(NOBODY) is None
            keeper.sendall(f'{{"exited": {NOBODY}, "code": {code}}}\n'.encode())
            assert processes.exit_code(NOBODY) == code


def test_a_log_that_grows_is_turned_over(processes: Processes, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    pid = processes.start(python("for n in range(70): print(str(n).zfill(100) * 1000)", log))
    wait_until(lambda: processes.exit_code(pid) is not None)
    kept = lines_of(tmp_path / "a.log.1") + lines_of(log)
    assert [int(line[:100]) for line in kept] == list(range(70))


def test_close_stops_the_last_ones_last(tmp_path: Path) -> None:
    said = "import signal, sys, time\ndef bye(*_): print(time.monotonic(), flush=True); sys.exit()\n\
signal.signal(signal.SIGTERM, bye); print('up', flush=True); time.sleep(600)"
    processes = Processes()
    pids = [processes.start(python(said, tmp_path / f"{last}.log", stop_last=last)) for last in (True, False)]
    wait_until(lambda: all(lines_of(tmp_path / f"{last}.log") for last in (True, False)))
    processes.close()
    first, last = (float(lines_of(tmp_path / f"{stop_last}.log")[1]) for stop_last in (False, True))
    assert first < last
    assert not any(is_alive(pid) for pid in (*pids, processes.keeper_pid))


@pytest.mark.parametrize("victim", ["owner", "keeper"])
def test_nothing_is_left_behind_by_kill_9(victim: str, tmp_path: Path) -> None:
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    leaders = [int(owner.stdout.readline()) for _ in range(2)]
    keeper = int(owner.stdout.readline())
    wait_until(lambda: all(lines_of(tmp_path / f"{n}.log") for n in range(2)))
    family = [*leaders, *(int(lines_of(tmp_path / f"{n}.log")[0]) for n in range(2))]
    assert all(is_alive(pid) for pid in family)
    os.kill(owner.pid if victim == "owner" else keeper, signal.SIGKILL)
    if victim == "owner":
        owner.wait()
        wait_until(lambda: not any(is_alive(pid) for pid in (*family, keeper)))
    else:
        wait_until(lambda: not any(is_alive(pid) for pid in leaders))
        owner.kill()
        owner.wait()
    owner.stdout.close()
    for pid in family:
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)


def test_a_keeper_that_is_gone_is_said(tmp_path: Path) -> None:
    processes = Processes()
    pid = processes.start(python(FAMILY, tmp_path / "a.log"))
    os.kill(processes.keeper_pid, signal.SIGKILL)
    wait_until(lambda: processes.exit_code(pid) is not None)
    with pytest.raises(ProcessError, match="keeper"):
        processes.start(python("pass", tmp_path / "b.log"))
    processes.close()
    wait_until(lambda: not is_alive(pid))
