"""Forked programs behave like started ones, and end with the process that forked them."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil
import pytest

from local.parts import PRELOAD
from local.preload import PACKAGES
from local.processes import ROOT, ProcessCommand, Processes
from operations.environment import surroundings
from tests.forking import OF_PARTS, OF_PROGRAMS, run_forked
from tests.local.watching import is_alive, lines_of, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere parts are started")

TELLING = """
import json, os, signal, sys
told = {"argv": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd(), "group": os.getpgid(0), "own": __name__}
told["signals"] = [signal.getsignal(n) == signal.SIG_DFL for n in (signal.SIGCHLD, signal.SIGTERM)]
told["packages"] = sorted(sys.modules)
told["files"] = sorted(os.readlink(f"/proc/self/fd/{n}").split(":")[0] for n in (0, 1, 2))
told["many"] = len(os.listdir("/proc/self/fd"))
told["said"] = sys.stdin.read()
print(json.dumps(told))
print("oh", file=sys.stderr)
sys.exit(3)
"""
LASTING = "import time; print('up'); time.sleep(600)"
#: starts a part in the folder of its argument, and stops it once it runs
STARTING = """
import sys
from pathlib import Path
from local.processes import ProcessCommand, Processes
from tests.local.watching import lines_of, wait_until

folder, *preload = sys.argv[1:]
(Path(folder) / "program.py").write_text("import time; print('up', flush=True); time.sleep(600)")
processes, log = Processes(preload=preload), Path(folder) / "log"
command = ProcessCommand(argv=(sys.executable, "-m", "program"), env={}, log=log, cwd=Path(folder), is_forked=True)
processes.start(command)
wait_until(lambda: lines_of(log) == ["up"], 60)
processes.close()
"""


class Forks:
    """A keeper, with requests to fork."""

    def __init__(self, folder: Path, *preload: str) -> None:
        self.folder = folder
        self.processes = Processes(preload=preload)

    def fork(self, code: str, *arguments: str, env: Mapping[str, str]) -> tuple[int, Path]:
        """Fork a program from a file in the folder, and give its pid and log."""
        name = f"program_{len(list(self.folder.glob('*.py')))}"
        (self.folder / f"{name}.py").write_text(code)
        argv, log = (sys.executable, "-m", name, *arguments), self.folder / f"{name}.log"
        return self.processes.start(ProcessCommand(argv=argv, env=env, log=log, cwd=self.folder, is_forked=True)), log

    def end_of(self, pid: int) -> int | None:
        """Wait for its end, and give its status."""
        wait_until(lambda: self.processes.exit_code(pid) is not None, 60)
        return self.processes.exit_code(pid)

    def lasting(self) -> int:
        """Fork a program that does not end, and give its pid."""
        pid, log = self.fork(LASTING, env={})
        wait_until(lambda: lines_of(log) == ["up"], 60)
        return pid


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    made = Forks(tmp_path_factory.mktemp("forks"), *PRELOAD)
    yield made
    made.processes.close()


def test_what_is_forked_is_as_if_it_had_been_started(forks: Forks) -> None:
    pid, log = forks.fork(TELLING, "--port", "1", env={"A": "b", "PYTHONUNBUFFERED": "1"})
    assert forks.end_of(pid) == 3
    told = json.loads(next(line for line in lines_of(log) if line.startswith("{")))
    assert "oh" in lines_of(log)
    assert (told["argv"], told["env"]) == (["--port", "1"], {"A": "b", "PYTHONUNBUFFERED": "1"})
    assert (told["cwd"], told["group"], told["own"]) == (str(forks.folder), pid, "__main__")
    assert told["signals"] == [True, True]
    assert (told["files"], told["said"]) == (["/dev/null", "pipe", "pipe"], "")
    assert told["many"] == 4, "the three, and the folder that is listed"


def test_it_begins_with_packages_and_with_nothing_that_a_new_start_is_to_read_anew(forks: Forks) -> None:
    pid, log = forks.fork(TELLING, env={})
    forks.end_of(pid)
    known = set(json.loads(next(line for line in lines_of(log) if line.startswith("{")))["packages"])
    assert known >= set(PACKAGES)
    roots = {"shared", "functions", "infra", "operations", "local"}
    own = {"local", "local.forks", "local.groups", "local.preload"}
    assert {name for name in known if name.split(".")[0] in roots} == own


def test_a_fork_is_ended_by_a_signal_and_told(forks: Forks) -> None:
    pid = forks.lasting()
    os.kill(pid, signal.SIGTERM)
    assert forks.end_of(pid) == -signal.SIGTERM
    pid = forks.lasting()
    forks.processes.kill(pid)
    assert forks.end_of(pid) == -signal.SIGKILL


def test_forks_end_with_their_server_and_the_next_one_has_another(forks: Forks) -> None:
    pid = forks.lasting()
    psutil.Process(pid).parents()[0].kill()
    assert forks.end_of(pid) not in (None, 0)
    wait_until(lambda: not is_alive(pid))
    assert is_alive(forks.lasting())


def test_a_part_starts_by_itself_below_a_temporary_folder_whose_path_is_too_long_for_sockets(tmp_path: Path) -> None:
    folder = tmp_path / ("long-" * 20)
    folder.mkdir()
    command = (sys.executable, "-c", STARTING, str(tmp_path), *PRELOAD)
    subprocess.run(command, cwd=ROOT, env=surroundings({"TMPDIR": str(folder)}), check=True)
    assert lines_of(tmp_path / "log") == ["up"]


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_is_left_of_a_keeper_that_is_killed(ending: signal.Signals, tmp_path: Path) -> None:
    forks = Forks(tmp_path, *PRELOAD)
    pid = forks.lasting()
    family = [one.pid for one in psutil.Process(forks.processes.keeper_pid).children(recursive=True)]
    assert pid in family
    os.kill(forks.processes.keeper_pid, ending)
    wait_until(lambda: not any(map(is_alive, family)))
    forks.processes.close()


@pytest.mark.parametrize("preload", [PRELOAD, OF_PARTS])
def test_a_server_has_one_thread_so_a_fork_lacks_none(preload: tuple[str, ...], tmp_path: Path) -> None:
    forks = Forks(tmp_path, *preload)
    assert psutil.Process(forks.lasting()).parents()[0].num_threads() == 1
    forks.processes.close()


def test_a_program_is_told_what_is_typed_and_its_outputs_are_two() -> None:
    done = run_forked(("tests.shared.wiring.given", TELLING), {"A": "b"}, "yes\n")
    assert (done.returncode, done.stderr) == (3, "oh\n")
    assert (told := json.loads(done.stdout))["said"] == "yes\n"
    assert (told["argv"], told["env"]) == ([], {"A": "b"})
    assert set(OF_PROGRAMS) <= set(told["packages"])
