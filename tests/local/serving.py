"""Servers for the tests: an application on a free port, in a thread of its own."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from local.guest_server import GuestServer
from local.server_config import KEEP_ALIVE_S


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """Run the application and give its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = GuestServer(
        uvicorn.Config(app, log_level="critical", timeout_keep_alive=KEEP_ALIVE_S, timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.end()
        thread.join()
        listener.close()
