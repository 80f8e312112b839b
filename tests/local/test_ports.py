import os
import socket
import sys
import urllib.request
from pathlib import Path

import pytest

from local.ports import HOST, PortBook, PortTaken, listen, reserve_port
from local.processes import ProcessCommand, Processes
from tests.local.watching import wait_until


def listener(port: int) -> socket.socket:
    """Open a socket as every server does."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((HOST, port))
    server.listen()
    return server


def test_a_port_that_is_listened_on_is_refused_by_its_number() -> None:
    with listener(0) as server:
        port = server.getsockname()[1]
        with pytest.raises(PortTaken, match=rf"port {port} is not available \(Address already in use\)"):
            reserve_port(port)


def test_reserved_ports_differ_and_serve_again_after_a_restart() -> None:
    reserved = [reserve_port() for _ in range(20)]
    assert len({port.number for port in reserved}) == 20
    for _ in range(2):
        with listener(reserved[0].number) as server, socket.create_connection((HOST, reserved[0].number)) as client:
            client.sendall(b"x")
            server.accept()[0].close()
    for port in reserved:
        port.release()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a port be held")
def test_the_kernel_gives_a_reserved_port_to_nobody_else() -> None:
    reserved = reserve_port()
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind((HOST, reserved.number))
    reserved.release()
    with socket.socket() as other:
        other.bind((HOST, reserved.number))


def test_a_server_of_ours_may_listen_on_a_reserved_port(tmp_path: Path) -> None:
    reserved, processes = reserve_port(), Processes()
    argv = (sys.executable, "-m", "http.server", str(reserved.number), "--bind", HOST, "--directory", str(tmp_path))
    processes.start(ProcessCommand(argv=argv, env={**os.environ}, log=tmp_path / "server.log"))

    def answered() -> bool:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{reserved.number}/", timeout=5) as answer:
                return b"server.log" in answer.read()
        except OSError:
            return False

    wait_until(answered)
    processes.close()
    reserved.release()


def test_a_book_gives_the_same_ports_in_the_next_run(tmp_path: Path) -> None:
    first = PortBook(tmp_path / "ports.json")
    ports = [first.reserve("tick"), first.reserve("page")]
    assert first.reserve("tick") == ports[0]
    first.release()
    second = PortBook(tmp_path / "ports.json")
    assert [second.reserve("tick"), second.reserve("page")] == ports
    second.release()
    with listener(ports[0]):
        third = PortBook(tmp_path / "ports.json")
        assert third.reserve("tick") != ports[0]
        assert third.reserve("page") == ports[1]
        third.release()


def test_a_port_that_is_asked_for_goes_before_the_remembered_one(tmp_path: Path) -> None:
    book = PortBook(tmp_path / "ports.json")
    book.reserve("page")
    book.release()
    wanted = reserve_port()
    wanted.release()
    next_book = PortBook(tmp_path / "ports.json")
    assert next_book.reserve("page", wanted.number) == wanted.number
    next_book.release()


def test_a_listening_socket_names_its_protocol_and_takes_connections() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()) as caller:
        assert listening.proto == socket.IPPROTO_TCP
        assert caller.getpeername() == listening.getsockname()


def test_listening_where_somebody_listens_is_an_error() -> None:
    with listen("127.0.0.1", 0) as listening, pytest.raises(OSError, match="use"):
        listen("127.0.0.1", listening.getsockname()[1])
