"""Processes that end with this one, however it ends: the owner's side of `local/keeper.py`."""

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
#: time limit of the first fork, which waits for the preloaded modules on a busy machine
ANSWER_S = 60.0
#: the program of the keeper
KEEPER = "from local.keeper import main; main()"


class ProcessError(Exception):
    """A process could not be started, or the keeper itself is gone."""


@dataclass(frozen=True, kw_only=True)
class ProcessCommand:
    """A command with its whole environment. Its output goes to the log, which is rotated by size."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    log: Path
    cwd: Path = ROOT
    #: ends after all others when everything stops: a database, that saves what the others still write
    stop_last: bool = False
    #: one of lull's own programs, `python -m …`, that begins with what was preloaded
    is_forked: bool = False


class Processes:
    """Process groups, each led by one started command. Safe to use from several threads."""

    def __init__(self, scrap: Path | None = None, preload: Sequence[str] = ()) -> None:
        """Start the keeper; `close` it, or end in any other way, and everything that was started ends.

        `scrap` is a folder that is deleted after that; `preload` are the modules that forked commands begin with.
        """
        self.scrap = scrap
        self._lock = threading.Lock()
        self._exits: dict[int, int] = {}
        self._running: set[int] = set()
        self._unread = b""
        self._is_gone = False
        self._socket, theirs = socket.socketpair()
        with theirs:
            # a session of its own keeps the terminal's Ctrl-C away from it
            self._keeper = subprocess.Popen(
                # multiprocessing would have each fork run the module of `-m` again
                [sys.executable, "-c", KEEPER, str(theirs.fileno()), str(scrap or ""), *preload],
                pass_fds=[theirs.fileno()],
                cwd=ROOT,
                # what it begins with can be read in each of its forks, whatever they are given
                env=bare_surroundings({}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def keeper_pid(self) -> int:
        """The process that would end everything."""
        return self._keeper.pid

    def start(self, command: ProcessCommand) -> int:
        """The pid, and process group, of the started command. Raises ProcessError."""
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
                raise ProcessError(f"the keeper of the processes (pid {self.keeper_pid}) is gone") from cause
            answer = self._answer()
        if "error" in answer:
            raise ProcessError(answer["error"])
        return int(answer["pid"])

    def exit_code(self, pid: int) -> int | None:
        """Return its exit code (negative for a signal), or None while it runs."""
        with self._lock:
            self._read(timeout_s=0)
            return self._exits.get(pid)

    def stop(self, pid: int, patience_s: float = STOP_LAST_S) -> None:
        """Ask it to end; after `patience_s` make it. Nothing if it has ended: its number may be another's by now."""
        if self.exit_code(pid) is not None:
            return
        ask_to_end(pid)
        if not self._ended_within(pid, patience_s):
            self.kill(pid)

    def kill(self, pid: int) -> None:
        """End it and all that it started, at once. Nothing if it has ended, as above."""
        if self.exit_code(pid) is not None:
            return
        kill_group(pid)
        self._ended_within(pid, STOP_LAST_S)

    def end(self, pids: Iterable[int], patience_s: float) -> None:
        """Ask these to end, all at once; after `patience_s` make them. The others go on."""
        asked = [pid for pid in pids if self.exit_code(pid) is None]
        for pid in asked:
            ask_to_end(pid)
        until = time.monotonic() + patience_s
        for pid in asked:
            if not self._ended_within(pid, max(0.0, until - time.monotonic())):
                self.kill(pid)

    def close(self) -> None:
        """Stop everything: politely, and those that stop last last."""
        with self._lock:
            self._socket.close()
            try:
                with suppress(subprocess.TimeoutExpired):
                    self._keeper.wait(STOP_S + STOP_LAST_S + ANSWER_S)
            finally:  # a second Ctrl-C comes here too: then everything ends at once
                self._keeper.kill()
                self._keeper.wait()
                self._kill_all()

    def _answer(self) -> dict[str, Any]:
        until = time.monotonic() + ANSWER_S
        while time.monotonic() < until and not self._is_gone:
            for answer in self._read(timeout_s=0.1):
                self._running |= {answer["pid"]} if "pid" in answer else set()
                return answer
        raise ProcessError(f"the keeper of the processes (pid {self.keeper_pid}) does not answer")

    def _read(self, timeout_s: float) -> list[dict[str, Any]]:
        """Read the keeper's answer, and note ended processes."""
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
            elif "pid" in message:  # the number of one that has ended may come again
                self._exits.pop(message["pid"], None)
        return [message for message in messages if "exited" not in message]

    def _kill_all(self) -> None:
        """Kill all processes. Without the keeper nothing may run on, and their exit codes are lost."""
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
