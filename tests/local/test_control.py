import socket
import threading
from contextlib import suppress
from multiprocessing import AuthenticationError

import pytest

from local.control import ControlServer, ask_restart
from local.ports import HOST
from local.run_record import RunRecord


def record_of(control: ControlServer, key: str = "") -> RunRecord:
    return RunRecord(page="", parts={}, control_port=control.port, control_key=key or control.key)


def test_who_has_the_key_is_answered_in_the_serving_thread() -> None:
    control, answers = ControlServer(), list[str]()
    asking = threading.Thread(target=lambda: answers.append(ask_restart(record_of(control), "tick")))
    asking.start()
    served_in: list[int] = []

    def restart(part: str) -> str:
        served_in.append(threading.get_ident())
        return f"{part} runs again."

    while not served_in:
        control.serve(restart, wait_s=0.1)
    asking.join()
    assert answers == ["tick runs again."]
    assert served_in == [threading.get_ident()]


def test_who_has_not_is_turned_away_and_the_next_is_served() -> None:
    control, answers = ControlServer(), list[str]()
    with pytest.raises(AuthenticationError):
        ask_restart(record_of(control, "wrong"), "tick")
    with socket.create_connection((HOST, control.port)) as page:  # a browser can reach the port, too
        page.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        with suppress(ConnectionError):
            while page.recv(1 << 10):
                """Until it is turned away."""
    asking = threading.Thread(target=lambda: answers.append(ask_restart(record_of(control), "")))
    asking.start()
    while not answers:
        control.serve(lambda part: f"all of {part!r}", wait_s=0.1)
    asking.join()
    assert answers == ["all of ''"]
