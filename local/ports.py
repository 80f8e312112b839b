"""Free ports that stay reserved between choosing and using them."""

import json
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

HOST = "127.0.0.1"


class PortTaken(Exception):
    """A port that was asked for is in use."""


@dataclass(frozen=True)
class ReservedPort:
    """A port kept for one part, over its restarts too, until `release`."""

    number: int
    _held: socket.socket | None

    def release(self) -> None:
        """Give the port back."""
        if self._held is not None:
            self._held.close()


def reserve_port(number: int = 0) -> ReservedPort:
    """Reserve a free port, or the given one. Raises PortTaken.

    On Linux a socket that is bound and never listens keeps the port: the kernel gives it to nobody who does not ask
    for it by its number, while a server that does, with SO_REUSEADDR as they all set it, may listen there. Elsewhere
    the port is only seen to be free.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        held.bind((HOST, number))
    except OSError as cause:
        held.close()
        raise PortTaken(
            f"port {number} is not available ({cause.strerror}); choose another, or stop the program that uses it"
        ) from cause
    chosen: int = held.getsockname()[1]
    if sys.platform == "linux":
        return ReservedPort(chosen, held)
    held.close()
    return ReservedPort(chosen, None)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there (0: on a free port). Raises OSError.

    Only for a socket that names its protocol does asyncio switch off Nagle's delay, which is 40 ms an answer.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # from here on no connection is refused; early ones wait until the server has started
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


class PortBook:
    """The ports of one local cloud by what they are for, each the same again in the next run if it can be had.

    A task that waits in Cloud Tasks holds the address of the tick, and a page that is open holds its own.
    """

    def __init__(self, file: Path | None) -> None:
        """`file` remembers them; None: they are forgotten."""
        self._file = file
        self._remembered: dict[str, int] = json.loads(file.read_text()) if file and file.exists() else {}
        self._reserved: dict[str, ReservedPort] = {}

    def reserve(self, purpose: str, number: int = 0) -> int:
        """Its port: the one asked for, else the one of the last run, else a free one. Raises PortTaken."""
        if purpose not in self._reserved:
            self._reserved[purpose] = reserve_port(number) if number else self._again_or_free(purpose)
            self._write()
        return self._reserved[purpose].number

    def release(self) -> None:
        """Give all of them back."""
        for port in self._reserved.values():
            port.release()
        self._reserved.clear()

    def _again_or_free(self, purpose: str) -> ReservedPort:
        try:
            return reserve_port(self._remembered.get(purpose, 0))
        except PortTaken:
            return reserve_port()

    def _write(self) -> None:
        if self._file:
            numbers = {purpose: port.number for purpose, port in self._reserved.items()}
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(self._remembered | numbers, indent=2))
