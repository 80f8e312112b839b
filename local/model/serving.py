"""Runs one of the local servers of a model's API until it is stopped."""

import logging
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from local.model.recorder import Recorder
from local.ports import listen
from local.server_config import server_config
from shared.base.errors import LullError


class CannotStart(LullError):
    """The server cannot start; the text says why and what to do."""


def run_server(build: Callable[[], Starlette], host: str, port: int) -> int:
    """Serve until stopped. Return 1 and print a message if the server cannot start."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        app, listener = build(), _listener(host, port)
    except LullError as why:
        print(why, file=sys.stderr)
        return 1
    print(f"http://{host}:{listener.getsockname()[1]}", flush=True)
    uvicorn.Server(server_config(app, access_log=False)).run(sockets=[listener])
    return 0


def recorder_in(folder: Path | None) -> Recorder:
    """Return a recorder that keeps exchanges in a folder. Raises CannotStart if that is impossible."""
    try:
        return Recorder(folder)
    except OSError as cause:
        why = f"Exchanges cannot be kept in {folder} ({cause.strerror}). Choose another --data."
        raise CannotStart(why) from cause


def _listener(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as cause:
        reason = os.strerror(cause.errno or 0)
        why = f"Port {port} of {host} cannot be used ({reason}). Choose another --port."
        raise CannotStart(why) from cause
