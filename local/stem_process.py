"""The stem: a process that has imported what lull's parts import of packages, and of which parts are forked.

A part that is started by itself spends most of its processor time on that; eleven parts spend it eleven times. Nothing
of lull is imported here but what forks: a part that is started anew runs the code as it is then.

Called with the number of an inherited socket, and with what is to be imported besides. If the socket listens, whoever
connects has a stem of their own, forked of this one: several keepers share what it has imported; the number of a pipe
follows, and this process ends when the other end of the pipe is closed. Each message is JSON
`{"argv", "env", "cwd"}` with the descriptor of both outputs or of each, which are not buffered. It is answered by
`{"pid"}`, and `{"exited": pid, "code": n}` comes once that process has ended (n negative: by that signal). It ends with
the socket. A fork has one thread, as this process does: Linux alone.
"""

import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from local.groups import end_with_parent

#: what parts import, by the modules that import the rest; none of them starts a thread
PACKAGES = (
    "functions_framework.aio",
    "functions_framework._http.gunicorn",
    "google.auth.transport.requests",
    "google.cloud.firestore_v1.async_client",
    "google.cloud.storage",
    "google.cloud.tasks_v2",
    "httpx",
    "starlette.routing",
    "telegram",
    "uvicorn",
    "yaml",
)
MESSAGE_BYTES = 1 << 18


def serve(orders: socket.socket) -> Mapping[str, Any]:
    """Fork a process for each order. Returns in each of them, with its order; exits where the socket has ended."""
    woken, waker = os.pipe()
    for end in (woken, waker):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker)
    while True:
        ready = select.select([orders.fileno(), woken], [], [])[0]
        if orders.fileno() in ready:
            message, outputs, *_ = socket.recv_fds(orders, MESSAGE_BYTES, 2)
            if not message:
                sys.exit()
            begun, beginning = os.pipe()
            if not (pid := os.fork()):
                _begin(outputs, closed=(*outputs, woken, waker, begun))
                orders.close()
                os.close(beginning)
                order: dict[str, Any] = json.loads(message)
                return order
            for end in (*outputs, beginning):
                os.close(end)
            os.read(begun, 1)  # it ends once the fork leads a group, which can be ended
            os.close(begun)
            orders.send(json.dumps({"pid": pid}).encode())
        if woken in ready:
            os.read(woken, 1 << 10)
            _tell_of_ends(orders)


def connected(listener: socket.socket, life: int) -> socket.socket:
    """Fork a stem for each who connects. Returns in each of them, with the socket of its orders.

    Exits when the other end of the pipe `life` is closed.
    """
    with listener:
        while True:
            if life in select.select([listener.fileno(), life], [], [])[0]:
                sys.exit()
            orders, _ = listener.accept()
            if not os.fork():
                end_with_parent()
                os.close(life)
                return orders
            orders.close()
            with suppress(ChildProcessError):  # all of them have ended
                while os.waitpid(-1, os.WNOHANG)[0]:
                    """One has ended with its socket."""


def _tell_of_ends(orders: socket.socket) -> None:
    with suppress(ChildProcessError):  # there is none left
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            orders.send(json.dumps({"exited": ended[0], "code": os.waitstatus_to_exitcode(ended[1])}).encode())


def _begin(outputs: Sequence[int], *, closed: Iterable[int]) -> None:
    """What a process is that was started by itself: a session and outputs of its own, and no handler of signals."""
    os.setsid()
    end_with_parent()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(outputs[0], 1)
    os.dup2(outputs[-1], 2)
    for number in closed:
        os.close(number)


def become(order: Mapping[str, Any]) -> None:
    """Run what was ordered, `python -m MODULE …`, as this process's own program."""
    _, _, module, *arguments = order["argv"]
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    time.tzset()
    sys.argv = [module, *arguments]
    sys.path[0] = order["cwd"]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def main(inherited: str, *more: str) -> None:
    """Import, and serve; in a fork: run. `inherited`: the descriptor of the socket, and of the pipe if it listens."""
    descriptor, *life = map(int, inherited.split(","))
    given = socket.socket(fileno=descriptor)
    for name in (*PACKAGES, *more):
        importlib.import_module(name)
    # what is here now is never garbage, and looking at it would copy it into each fork
    gc.collect()
    gc.freeze()
    become(serve(connected(given, life[0]) if life else given))


if __name__ == "__main__":
    main(*sys.argv[1:])
