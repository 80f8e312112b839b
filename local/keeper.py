"""The keeper: a process that starts the parts, writes their logs, and ends them when its owner is gone.

The owner (`local/processes.py`) holds the other end of a socket. However the owner ends, by closing the socket,
by a signal or by `kill -9`, the socket closes, and that is the order to stop everything: there is one way down.
Should the keeper itself be killed, Linux tells each part to end (PR_SET_PDEATHSIG).

Called with the number of the inherited socket, with a folder that is to be deleted at the very end (empty: none), and
with the modules that are imported before a part is forked (`local/forks.py`).
Requests are JSON lines `{"argv", "env", "cwd", "log", "stop_last", "is_forked"}`, each answered by `{"pid"}` or
`{"error"}`; what `is_forked` is one of lull's own programs, `python -m …`.
`{"exited": pid, "code": n}` comes whenever a part has ended (n negative: by that signal).
"""

import asyncio
import json
import logging
import os
import shutil
import socket
import sys
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from multiprocessing.context import ForkServerProcess
from typing import Any

from local.forks import set_preload, start_fork
from local.groups import ask_to_end, end_with_parent, kill_group

LOG_BYTES, LOGS_KEPT = 5_000_000, 5
REQUEST_BYTES = 1 << 22
#: seconds that parts may take to end once asked; those that stop last (a database, that saves) come after the rest
STOP_S, STOP_LAST_S = 2.5, 6.0


@dataclass(frozen=True)
class _Part:
    stop_last: bool
    ended: asyncio.Task[None]


class Keeper:
    """The running parts, for the owner at the other end of `writer`."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._parts: dict[int, _Part] = {}

    async def start(self, request: dict[str, Any]) -> dict[str, Any]:
        """Start one part and answer its pid, which is its process group's too; or say why it could not be started."""
        # with asyncio's pipes `wait` would also wait for other processes that hold the log open
        log_out, log_in = os.pipe()
        begin = _fork if request["is_forked"] else _execute
        try:
            pid, end = await begin(request, log_in)
        except OSError as cause:
            os.close(log_out)
            return {"error": f"{request['argv'][0]} cannot be started: {cause.strerror}"}
        finally:
            os.close(log_in)
        ended = asyncio.create_task(self._follow(pid, end, log_out, request["log"]))
        self._parts[pid] = _Part(request["stop_last"], ended)
        return {"pid": pid}

    def say(self, message: dict[str, Any]) -> None:
        """Tell the owner, if there still is one."""
        if not self._writer.is_closing():
            self._writer.write(json.dumps(message).encode() + b"\n")

    async def stop(self) -> None:
        """End all parts: a polite word first, then SIGKILL; those that stop last after all others."""
        for last, patience_s in ((False, STOP_S), (True, STOP_LAST_S)):
            group = {pid: part for pid, part in self._parts.items() if part.stop_last is last}
            for pid in group:
                ask_to_end(pid)
            waiting = [part.ended for part in group.values()]
            if waiting:
                await asyncio.wait(waiting, timeout=patience_s)
            for pid in group.keys() & self._parts.keys():
                kill_group(pid)
            if waiting:
                await asyncio.wait(waiting)

    async def _follow(self, pid: int, end: Awaitable[int], log_out: int, log: str) -> None:
        copying = asyncio.create_task(_copy_lines(log_out, log))
        code = await end
        # a part's own processes end with it; until then they hold its log open
        kill_group(pid)
        await copying
        del self._parts[pid]
        self.say({"exited": pid, "code": code})


async def _execute(request: Mapping[str, Any], log_in: int) -> tuple[int, Awaitable[int]]:
    """Begin a part as a program: its pid, and how it will have ended. Raises OSError."""
    child = await asyncio.create_subprocess_exec(
        *request["argv"],
        env=request["env"],
        cwd=request["cwd"],
        stdin=asyncio.subprocess.DEVNULL,
        stdout=log_in,
        stderr=log_in,
        start_new_session=True,
        preexec_fn=end_with_parent,
    )
    return child.pid, child.wait()


async def _fork(request: Mapping[str, Any], log_in: int) -> tuple[int, Awaitable[int]]:
    """Begin a part as a fork, or as a program where none can be forked: its pid, and how it will have ended.

    Raises OSError.
    """
    with open(os.devnull, "rb") as nothing:  # noqa: ASYNC230, PTH123  it has nothing to wait for
        files = (nothing.fileno(), log_in, log_in)
        try:
            # in a thread: the first one waits for what the fork server imports
            fork = await asyncio.to_thread(start_fork, request["argv"], request["env"], request["cwd"], files)
        except OSError:  # below a long TMPDIR, the path of the fork server's socket is too long
            return await _execute(request, log_in)
    return fork.ident or 0, _end_of(fork)


async def _end_of(fork: ForkServerProcess) -> int:
    """Return its exit code (negative for a signal), or 255 if the fork server ended first."""
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_reader(fork.sentinel, ended.set)
    await ended.wait()
    loop.remove_reader(fork.sentinel)
    fork.join()
    return fork.exitcode or 0


async def _copy_lines(source: int, log: str) -> None:
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(source, "rb", 0)
    )
    handler = RotatingFileHandler(log, maxBytes=LOG_BYTES, backupCount=LOGS_KEPT, encoding="utf-8")
    rest = b""
    while chunk := await reader.read(1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            _write(handler, line)
    if rest:
        _write(handler, rest)
    handler.close()
    transport.close()


def _write(handler: RotatingFileHandler, line: bytes) -> None:
    handler.emit(logging.makeLogRecord({"msg": line.decode("utf-8", "replace")}))


async def keep(owner: socket.socket) -> None:
    """Serve the owner until the socket closes, then stop everything."""
    reader, writer = await asyncio.open_connection(sock=owner, limit=REQUEST_BYTES)
    keeper = Keeper(writer)
    # an owner that leaves what it was told unread resets the connection: that is its end as well
    with suppress(ConnectionResetError):
        while line := await reader.readline():
            keeper.say(await keeper.start(json.loads(line)))
    await keeper.stop()


def main() -> None:
    """Keep, and delete the folder when everything has ended."""
    descriptor, scrap, *preload = sys.argv[1:]
    set_preload(preload)
    asyncio.run(keep(socket.socket(fileno=int(descriptor))))
    if scrap:
        shutil.rmtree(scrap, ignore_errors=True)
