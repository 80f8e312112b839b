"""Starts processes, and ensures that they end when this process ends, even if this process is killed. A helper process,
the keeper, starts and ends the processes (`local/keeper.py`); this module sends requests to the keeper.
"""

import json
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.groups import ask_to_end, kill_group
from local.keeper import STOP_LAST_S, STOP_S
from operations.environment import bare_surroundings

ROOT = Path(__file__).resolve().parent.parent
#: seconds to wait for the keeper's answer: the first fork waits for the preloaded modules, which takes long on a busy
#: machine
ANSWER_S = 60.0
#: the Python code that runs the keeper
KEEPER = "from local.keeper import main; main()"


class ProcessError(Exception):
    """A process could not be started, or the keeper itself is gone."""


@dataclass(frozen=True, kw_only=True)
class ProcessCommand:
    """A command with its complete environment. The output of the command is written to the file `log`, which is
    rotated by size.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    log: Path
    cwd: Path = ROOT
    #: whether the process is stopped after all others when everything stops. A database needs this, to save the last
    #: writes of the others
    stop_last: bool = False
    #: whether the command is started as a fork that already has the preloaded modules. It must be one of lull's own
    #: programs, `python -m …`
    is_forked: bool = False


class Processes:
    """The process groups of commands that the keeper runs for this process. Safe to use from several threads."""

    def __init__(self, scrap: Path | None = None, preload: Sequence[str] = ()) -> None:
        """Start the keeper. Everything that the keeper starts is ended by `close`, or when this process ends in any
        way.

        `scrap` is a folder that the keeper deletes at the end. `preload` are the modules that are imported before
        commands are forked.
        """
        self.scrap = scrap
        self._lock = threading.Lock()
        self._exits: dict[int, int] = {}
        self._running: set[int] = set()
        self._unread = b""
        self._is_gone = False
        self._socket, theirs = socket.socketpair()
        with theirs:
            # the keeper gets a session of its own, so that Ctrl-C in the terminal does not reach it
            self._keeper = subprocess.Popen(
                # not started with `-m`, since multiprocessing would then run that module again in each fork
                [sys.executable, "-c", KEEPER, str(theirs.fileno()), str(scrap or ""), *preload],
                pass_fds=[theirs.fileno()],
                cwd=ROOT,
                # bare, since each fork can read the environment with which the keeper was started, in addition to its
                # own
                env=bare_surroundings({}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def keeper_pid(self) -> int:
        """The process id of the keeper, which ends all processes."""
        return self._keeper.pid

    def start(self, command: ProcessCommand) -> int:
        """Start a command. Return its pid, which is also the id of its process group. Raises ProcessError."""
        command.log.parent.mkdir(parents=True, exist_ok=True)
        request = {
            "argv": command.argv,
            "env": dict(command.env),
            "cwd": str(command.cwd),
            "log": str(command.log),
            "stop_last": command.stop_last,
            "is_forked": command.is_forked,
        }
        with self._lock:
            try:
                self._socket.sendall(json.dumps(request).encode() + b"\n")
            except OSError as cause:
                raise ProcessError(
                    f"the process keeper (pid {self.keeper_pid}) has ended unexpectedly; start lull again"
                ) from cause
            answer = self._answer()
        if "error" in answer:
            raise ProcessError(answer["error"])
        return int(answer["pid"])

    def exit_code(self, pid: int) -> int | None:
        """Return a process's exit code (negative for a signal), or None while it runs."""
        with self._lock:
            self._read(timeout_s=0)
            return self._exits.get(pid)

    def stop(self, pid: int, patience_s: float = STOP_LAST_S) -> None:
        """Send SIGTERM to a process and, if it still runs after `patience_s`, SIGKILL to its group. Do nothing if the
        process has already ended, since another process may have got its pid.
        """
        if self.exit_code(pid) is not None:
            return
        ask_to_end(pid)
        if not self._ended_within(pid, patience_s):
            self.kill(pid)

    def kill(self, pid: int) -> None:
        """Kill a process and all processes that it started. Do nothing if it has already ended, since another process
        may have got its pid.
        """
        if self.exit_code(pid) is not None:
            return
        kill_group(pid)
        self._ended_within(pid, STOP_LAST_S)

    def end(self, pids: Iterable[int], patience_s: float) -> None:
        """Send SIGTERM to all these processes at once, and kill those that still run after `patience_s`. Other
        processes continue.
        """
        asked = [pid for pid in pids if self.exit_code(pid) is None]
        for pid in asked:
            ask_to_end(pid)
        until = time.monotonic() + patience_s
        for pid in asked:
            if not self._ended_within(pid, max(0.0, until - time.monotonic())):
                self.kill(pid)

    def close(self) -> None:
        """Stop all processes with SIGTERM. Commands with `stop_last` are stopped after all others. Processes that do
        not end in time are killed.
        """
        with self._lock:
            self._socket.close()
            try:
                with suppress(subprocess.TimeoutExpired):
                    self._keeper.wait(STOP_S + STOP_LAST_S + ANSWER_S)
            finally:  # a second Ctrl-C also interrupts the waiting above; then everything is killed at once
                self._keeper.kill()
                self._keeper.wait()
                self._kill_all()

    def _answer(self) -> dict[str, Any]:
        until = time.monotonic() + ANSWER_S
        while time.monotonic() < until and not self._is_gone:
            for answer in self._read(timeout_s=0.1):
                self._running |= {answer["pid"]} if "pid" in answer else set()
                return answer
        raise ProcessError(f"the process keeper (pid {self.keeper_pid}) does not answer; start lull again")

    def _read(self, timeout_s: float) -> list[dict[str, Any]]:
        """Return the keeper's answers that have arrived, and record which processes have ended according to the
        keeper.
        """
        if self._is_gone or not select.select([self._socket], [], [], timeout_s)[0]:
            return []
        heard = self._socket.recv(1 << 16)
        if not heard:
            self._kill_all()
        *lines, self._unread = (self._unread + heard).split(b"\n")
        messages = [json.loads(line) for line in lines]
        for message in messages:
            if "exited" in message:
                self._exits[message["exited"]] = message["code"]
                self._running.discard(message["exited"])
            elif "pid" in message:  # a new process may have the pid of an ended one
                self._exits.pop(message["pid"], None)
        return [message for message in messages if "exited" not in message]

    def _kill_all(self) -> None:
        """Kill all processes, because the keeper has ended: no process may run without the keeper. Their real exit
        codes are lost.
        """
        self._is_gone = True
        for pid in self._running:
            kill_group(pid)
            self._exits[pid] = -signal.SIGKILL
        self._running.clear()

    def _ended_within(self, pid: int, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while self.exit_code(pid) is None:
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        return True
