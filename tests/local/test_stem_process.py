"""The stem's own protocol, spoken without the keeper: what is forked is as if it had been started."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from local.processes import ROOT
from local.stem_process import MESSAGE_BYTES, PACKAGES
from tests.local.watching import is_alive, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere parts are started")

TELLING = """
import json, os, signal, sys
told = {"argv": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd(), "group": os.getpgid(0), "own": __name__}
told["signals"] = [signal.getsignal(n) == signal.SIG_DFL for n in (signal.SIGCHLD, signal.SIGTERM)]
told["packages"] = sorted(sys.modules)
told["files"] = sorted(os.readlink(f"/proc/self/fd/{n}").split(":")[0] for n in (0, 1, 2))
print(json.dumps(told))
print("oh", file=sys.stderr)
sys.exit(3)
"""


class Orders:
    """A running stem, and what it is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-u", "-m", "local.stem_process", str(theirs.fileno())]
            self.process = subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd=ROOT, stdin=subprocess.DEVNULL)

    def fork(self, code: str, *arguments: str, env: Mapping[str, str]) -> tuple[int, Path]:
        """The pid of a program that a file in the folder is, and where its outputs go."""
        name = f"program_{len(list(self.folder.iterdir()))}"
        (self.folder / f"{name}.py").write_text(code)
        log = self.folder / f"{name}.log"
        order = {"argv": [sys.executable, "-m", name, *arguments], "env": dict(env), "cwd": str(self.folder)}
        with log.open("wb") as output:
            socket.send_fds(self.socket, [json.dumps(order).encode()], [output.fileno()])
        return self.heard()["pid"], log

    def heard(self) -> dict[str, int]:
        """What it says next."""
        said: dict[str, int] = json.loads(self.socket.recv(MESSAGE_BYTES))
        return said


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Orders]:
    made = Orders(tmp_path_factory.mktemp("stem"))
    yield made
    made.socket.close()
    assert made.process.wait(30) == 0


def test_what_is_forked_is_as_if_it_had_been_started(orders: Orders) -> None:
    pid, log = orders.fork(TELLING, "--port", "1", env={"A": "b", "PYTHONUNBUFFERED": "1"})
    assert orders.heard() == {"exited": pid, "code": 3}
    first, last = log.read_text().splitlines()
    told = json.loads(first)
    assert last == "oh"
    assert (told["argv"], told["env"]) == (["--port", "1"], {"A": "b", "PYTHONUNBUFFERED": "1"})
    assert (told["cwd"], told["group"], told["own"]) == (str(orders.folder), pid, "__main__")
    assert told["signals"] == [True, True]
    assert told["files"] == ["/dev/null", str(log), str(log)]


def test_it_begins_with_packages_and_with_nothing_that_a_new_start_is_to_read_anew(orders: Orders) -> None:
    pid, log = orders.fork(TELLING, env={})
    assert orders.heard()["exited"] == pid
    known = set(json.loads(log.read_text().splitlines()[0])["packages"])
    assert known >= set(PACKAGES)
    roots = {"shared", "functions", "infra", "operations", "local"}
    assert {name for name in known if name.split(".")[0] in roots} == {"local", "local.groups"}


def test_a_fork_is_ended_by_a_signal_and_told(orders: Orders) -> None:
    pid, log = orders.fork("import time; print('up'); time.sleep(600)", env={})
    wait_until(lambda: log.read_text() == "up\n")
    os.kill(pid, signal.SIGTERM)
    assert orders.heard() == {"exited": pid, "code": -signal.SIGTERM}


def test_it_has_one_thread_so_a_fork_lacks_none(orders: Orders) -> None:
    orders.fork("", env={})
    orders.heard()
    assert len(list(Path(f"/proc/{orders.process.pid}/task").iterdir())) == 1


def test_forks_end_with_it(tmp_path: Path) -> None:
    orders = Orders(tmp_path)
    pid, log = orders.fork("import time; print('up'); time.sleep(600)", env={})
    wait_until(lambda: log.read_text() == "up\n")
    orders.process.kill()
    orders.process.wait()
    orders.socket.close()
    wait_until(lambda: not is_alive(pid))
