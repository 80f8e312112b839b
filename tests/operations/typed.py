"""`python -m MODULE …` as somebody types it: as a program of its own, or forked of one that has imported it.

What the owner's commands import, and what `make deploy` reads of the functions' code for their bundles, is most of the
processor time that they take besides Terraform's; the tests here run them some eighty times.
"""

import atexit
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from socket import AF_UNIX, SOCK_SEQPACKET, send_fds, socket
from typing import TypeAlias

from local.processes import ROOT
from local.stem import shared_stem
from local.stem_process import MESSAGE_BYTES

#: a module with its arguments, the whole environment, and what is typed while it runs; what came of it
Typing: TypeAlias = Callable[[Sequence[str], Mapping[str, str], str], subprocess.CompletedProcess[str]]
#: what gives a program its input
ENTRANCE = "tests.operations.entrance"
#: what has imported what is deployed with, and has read what bundles are made of
BEFOREHAND = "tests.operations.beforehand"


def typed_alone(argv: Sequence[str], env: Mapping[str, str], said: str) -> subprocess.CompletedProcess[str]:
    """A program that begins with nothing."""
    return subprocess.run(
        [sys.executable, "-m", *argv],
        cwd=ROOT, env=env, input=said, capture_output=True, text=True, check=False, timeout=280,
    )  # fmt: skip


def typed(argv: Sequence[str], env: Mapping[str, str], said: str) -> subprocess.CompletedProcess[str]:
    """A program that begins with what it imports; the test's own time-out bounds it."""
    if sys.platform != "linux":
        return typed_alone(argv, env, said)
    with (
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
        tempfile.NamedTemporaryFile("w") as given,
    ):
        given.write(said)
        given.flush()
        command = [sys.executable, "-m", ENTRANCE, given.name, *argv]
        order = {"argv": command, "env": dict(env), "cwd": str(ROOT)}
        orders = _orders()
        send_fds(orders, [json.dumps(order).encode()], [out.fileno(), err.fileno()])
        assert "pid" in json.loads(orders.recv(MESSAGE_BYTES))
        ended = json.loads(orders.recv(MESSAGE_BYTES))
        told = [(file.seek(0), file.read())[1] for file in (out, err)]
    return subprocess.CompletedProcess(command, ended["code"], *told)


@cache
def _orders() -> socket:
    """To the process that forks; it ends with this one."""
    stack = ExitStack()
    atexit.register(stack.close)
    path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stem-"))) / "stem"
    stack.enter_context(shared_stem(path, str(ROOT), [BEFOREHAND]))
    orders = stack.enter_context(socket(AF_UNIX, SOCK_SEQPACKET))
    orders.connect(str(path))
    return orders
