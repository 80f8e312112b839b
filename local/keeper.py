"""The keeper: a process that starts the parts, writes their logs, and ends them when its owner has ended.

The owner is the process that uses `local/processes.py`. A socket connects the keeper with the owner. The socket closes
when the owner closes it, and also when the owner ends or is killed. The keeper then stops everything, so no part
outlives the owner. If the keeper itself is killed, Linux sends each part a signal (PR_SET_PDEATHSIG).

The keeper's arguments are the number of the inherited socket, a folder to delete at the very end (empty for none), and
the modules that are imported before a part is forked (`local/forks.py`). Requests are JSON lines `{"argv", "env",
"cwd", "log", "stop_last", "is_forked"}`, each answered by `{"pid"}` or `{"error"}`. With `is_forked` the command must
be one of lull's own programs, `python -m …`. The keeper sends `{"exited": pid, "code": n}` whenever a part has ended (n
is negative for a signal).
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
from local.groups import ask_to_end, kill_group, tied_to_parent

LOG_BYTES, LOGS_KEPT = 5_000_000, 5
REQUEST_BYTES = 1 << 22
#: Seconds that parts may take to end after SIGTERM. The second limit is for parts that stop last, such as a database
#: that saves its documents.
STOP_S, STOP_LAST_S = 2.5, 6.0


@dataclass(frozen=True)
class _Part:
    stop_last: bool
    ended: asyncio.Task[None]


class Keeper:
    """Starts and stops the local cloud's parts at the request of the owner process, and sends it messages."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._parts: dict[int, _Part] = {}

    async def start(self, request: dict[str, Any]) -> dict[str, Any]:
        """Start one part. Return the answer to the owner: the part's pid, which is also the id of its process group, or
        the reason why the start failed.
        """
        # asyncio's own pipes are not used: with them, `wait` would also wait for other processes that have the log open
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
        """Send a message to the owner process as a line of JSON, unless the connection is closed."""
        if not self._writer.is_closing():
            self._writer.write(json.dumps(message).encode() + b"\n")

    async def stop(self) -> None:
        """End all parts: send SIGTERM first, then SIGKILL. Parts that were started with `stop_last` are ended after all
        others.
        """
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
        # the part's child processes have to end with it, and they still have its log open
        kill_group(pid)
        await copying
        del self._parts[pid]
        self.say({"exited": pid, "code": code})


async def _execute(request: Mapping[str, Any], log_in: int) -> tuple[int, Awaitable[int]]:
    """Start a part as a program. Return its pid and an awaitable for its exit code. Raises OSError."""
    child = await asyncio.create_subprocess_exec(
        *tied_to_parent(request["argv"], request["env"].get("PATH")),
        env=request["env"],
        cwd=request["cwd"],
        stdin=asyncio.subprocess.DEVNULL,
        stdout=log_in,
        stderr=log_in,
        start_new_session=True,
    )
    return child.pid, child.wait()


async def _fork(request: Mapping[str, Any], log_in: int) -> tuple[int, Awaitable[int]]:
    """Start a part as a fork, or as a program if forking is impossible. Return its pid and an awaitable for its exit
    code.

    Raises OSError.
    """
    with open(os.devnull, "rb") as nothing:  # noqa: ASYNC230, PTH123  it has nothing to wait for
        files = (nothing.fileno(), log_in, log_in)
        try:
            # run in a thread, since the first fork waits for the fork server's imports
            fork = await asyncio.to_thread(start_fork, request["argv"], request["env"], request["cwd"], files)
        except OSError:  # for example, the path of the fork server's socket is too long because of a long TMPDIR
            return await _execute(request, log_in)
    return fork.ident or 0, _end_of(fork)


async def _end_of(fork: ForkServerProcess) -> int:
    """Return a fork's exit code (negative for a signal), or 255 if the fork server ended first."""
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
    # the connection is reset if the owner ended without reading all messages; this is an end of the owner too
    with suppress(ConnectionResetError):
        while line := await reader.readline():
            keeper.say(await keeper.start(json.loads(line)))
    await keeper.stop()


def main() -> None:
    """Run the keeper. Once all parts have ended, delete the folder that the second argument names, unless that
    argument is empty.
    """
    descriptor, scrap, *preload = sys.argv[1:]
    set_preload(preload)
    asyncio.run(keep(socket.socket(fileno=int(descriptor))))
    if scrap:
        shutil.rmtree(scrap, ignore_errors=True)
