"""Free ports that stay reserved between choosing and using them."""

import json
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

HOST = "127.0.0.1"


class PortTaken(Exception):
    """The requested port is in use."""


@dataclass(frozen=True)
class ReservedPort:
    """A port that stays reserved for one part until `release` is called, even while the part restarts."""

    number: int
    _held: socket.socket | None

    def release(self) -> None:
        """Stop reserving the port."""
        if self._held is not None:
            self._held.close()


def reserve_port(number: int = 0) -> ReservedPort:
    """Reserve a free port, or the given one. Raises PortTaken.

    On Linux, a bound socket that never listens reserves the port: the kernel does not give this port to a program that
    asks for any free port. A server can still listen on it if it names the port and sets SO_REUSEADDR, as all servers
    here do. On other systems this only checks that the port is free.
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
    """Return a socket that listens at this address; port 0 means any free port. Raises OSError.

    The socket is created with an explicit protocol, because otherwise asyncio does not disable Nagle's algorithm, which
    delays each answer by 40 ms.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # From here on connections are accepted; they wait until the server has started.
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


class PortBook:
    """The ports of one local cloud by purpose. In the next run, a purpose gets the same port again if that port is
    free.

    This matters because a waiting task in Cloud Tasks contains the address of the tick function, and because a page may
    still be open in a browser.
    """

    def __init__(self, file: Path | None) -> None:
        """Load the ports of the last run from `file`. With None, ports are not remembered between runs."""
        self._file = file
        self._remembered: dict[str, int] = json.loads(file.read_text()) if file and file.exists() else {}
        self._reserved: dict[str, ReservedPort] = {}

    def reserve(self, purpose: str, number: int = 0) -> int:
        """Reserve a port for a purpose: the given number, else the port of the last run, else any free one. Raises
        PortTaken.
        """
        if purpose not in self._reserved:
            self._reserved[purpose] = reserve_port(number) if number else self._again_or_free(purpose)
            self._write()
        return self._reserved[purpose].number

    def release(self) -> None:
        """Stop reserving all ports."""
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
