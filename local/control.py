"""Lets another terminal restart a part of a running local cloud."""

import secrets
import threading
from collections.abc import Callable
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Listener
from queue import Empty, SimpleQueue

from local.ports import HOST
from local.run_record import RunRecord


class ControlServer:
    """Listens on a local port for requests to restart a part. Callers must know `key`, a random secret. Requests are
    answered in the thread that calls `serve`.
    """

    def __init__(self) -> None:
        """Listen on a free port."""
        self.key = secrets.token_hex(32)
        self._listener = Listener((HOST, 0), authkey=self.key.encode())
        self._asked: SimpleQueue[tuple[str, SimpleQueue[str]]] = SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def port(self) -> int:
        """The TCP port on which the server listens."""
        return int(self._listener.address[1])

    def serve(self, restart: Callable[[str], str], wait_s: float) -> None:
        """Wait up to `wait_s` seconds for a request. If one arrives, call `restart` with the requested part, and send
        the result of `restart` back.
        """
        try:
            part, answer = self._asked.get(timeout=wait_s)
        except Empty:
            return
        answer.put(restart(part))

    def _listen(self) -> None:
        while True:
            try:
                with self._listener.accept() as connection:
                    answer: SimpleQueue[str] = SimpleQueue()
                    self._asked.put((str(connection.recv()), answer))
                    connection.send(answer.get())
            except (AuthenticationError, EOFError, OSError):
                continue  # the connection came from a caller without the key, or was closed early


def ask_restart(record: RunRecord, part: str) -> str:
    """Ask the running cloud to restart a part, or all parts if `part` is empty. Return the cloud's answer."""
    with Client((HOST, record.control_port), authkey=record.control_key.encode()) as connection:
        connection.send(part)
        return str(connection.recv())
