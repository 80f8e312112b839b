"""The keeper's side of the stem (`local/stem_process.py`), of which parts are forked instead of being started."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from local.groups import kill_group
from operations.environment import bare_surroundings

MESSAGE_BYTES = 1 << 18


class StemGone(Exception):
    """The stem ended before it answered: its log says why."""


@contextmanager
def shared_stem(path: Path, cwd: str, more: Iterable[str]) -> Iterator[None]:
    """A stem for all keepers that connect at a path while the block runs; it has imported `more`, too, as it is now."""
    life, ours = os.pipe()  # the stem ends when our end is closed, which the kernel does when this process ends
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener, os.fdopen(life, "rb") as theirs:
            listener.bind(str(path))
            listener.listen()
            process = _start([listener.fileno(), theirs.fileno()], cwd, more)
        try:
            yield
        finally:
            process.kill()
            process.wait()
    finally:
        os.close(ours)


class Stem:
    """One stem. Everything is called in one event loop."""

    def __init__(self, cwd: str, shared: str = "") -> None:
        """Start it, or have it forked of the one that is shared at a path. What is ordered waits until it has imported
        everything. Raises OSError.
        """
        self._process: subprocess.Popen[bytes] | None = None
        if shared:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._socket.connect(shared)
        else:
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._process = _start([theirs.fileno()], cwd)
        self._answers: deque[asyncio.Future[int]] = deque()
        self._ends: dict[int, asyncio.Future[int]] = {}
        self.is_gone = False
        asyncio.get_running_loop().add_reader(self._socket, self._hear)

    async def fork(self, request: Mapping[str, Any], output: int) -> int:
        """The pid of a fork that runs a request's `argv`, with both outputs in `output`. Raises StemGone."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._answers.append(answer)
        order = {name: request[name] for name in ("argv", "env", "cwd")}
        try:
            socket.send_fds(self._socket, [json.dumps(order).encode()], [output])
        except OSError as cause:
            raise StemGone(f"the stem cannot be asked for it: {cause.strerror}") from cause
        return await answer

    async def ended(self, pid: int) -> int:
        """How a fork ended (negative: by that signal)."""
        return await self._ends[pid]

    def close(self) -> None:
        """End it; nothing of it runs any more."""
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        if self._process:
            self._process.kill()
            self._process.wait()

    def _hear(self) -> None:
        try:
            message = self._socket.recv(MESSAGE_BYTES)
        except ConnectionError:
            message = b""
        if not message:
            self._lose_all()
            return
        said = json.loads(message)
        if "exited" in said:
            self._ends[said["exited"]].set_result(said["code"])
        else:
            self._ends[said["pid"]] = asyncio.get_running_loop().create_future()
            self._answers.popleft().set_result(said["pid"])

    def _lose_all(self) -> None:
        """Nobody tells any more how its forks ended, so they end now."""
        self.is_gone = True
        asyncio.get_running_loop().remove_reader(self._socket)
        for answer in self._answers:
            answer.set_exception(StemGone("the stem ended by itself"))
        for pid, end in self._ends.items():
            if not end.done():
                kill_group(pid)
                end.set_result(-signal.SIGKILL)


def _start(inherited: Sequence[int], cwd: str, more: Iterable[str] = ()) -> "subprocess.Popen[bytes]":
    """Start the process, in a session of its own, away from the terminal's Ctrl-C.

    It ends with what it inherits. A signal at the parent's end would come too early: Linux sends it when the *thread*
    ends that started the process.
    """
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "local.stem_process", ",".join(map(str, inherited)), *more],
        pass_fds=inherited,
        cwd=cwd,
        # what a process begins with can be read in each of its forks, whatever they are given
        env=bare_surroundings({}),
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
