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
    """Listens on a local port for callers with the key. `serve` answers in the caller's thread."""

    def __init__(self) -> None:
        """Listening from now on."""
        self.key = secrets.token_hex(32)
        self._listener = Listener((HOST, 0), authkey=self.key.encode())
        self._asked: SimpleQueue[tuple[str, SimpleQueue[str]]] = SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listener.address[1])

    def serve(self, restart: Callable[[str], str], wait_s: float) -> None:
        """Wait for one request and answer it with what `restart` says; return at the latest after `wait_s`."""
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
                continue  # somebody else knocked, or left


def ask_restart(record: RunRecord, part: str) -> str:
    """Have the running cloud restart a part, or all of them (empty); what it says about it."""
    with Client((HOST, record.control_port), authkey=record.control_key.encode()) as connection:
        connection.send(part)
        return str(connection.recv())
