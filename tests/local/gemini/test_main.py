import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[3]


@contextmanager
def running(*arguments: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    command = [sys.executable, "-m", "local.gemini", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process, process.stdout.readline().strip()
        process.kill()


def failing(*arguments: str) -> str:
    command = [sys.executable, "-m", "local.gemini", *arguments]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    return ended.stderr


def test_it_serves_keeps_exchanges_and_stops_when_told(tmp_path: Path) -> None:
    with running("--data", str(tmp_path / "data")) as (process, url):
        assert httpx.get(f"{url}/healthz", timeout=30).is_success
        assert httpx.post(f"{url}/script", json={"default": "echo"}, timeout=30).is_success
        call = {"contents": [{"parts": [{"text": "hi"}]}]}
        assert "You said: hi" in httpx.post(f"{url}/v1/models/m:generateContent", json=call, timeout=30).text
        process.send_signal(signal.SIGTERM)
        assert process.wait() in (0, -signal.SIGTERM)
        assert process.stderr
        assert process.stderr.read() == ""
    assert '"method": "generateContent"' in (tmp_path / "data" / "exchanges.jsonl").read_text()


def test_a_taken_port_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert failing("--port", port) == (
            f"Port {port} of 127.0.0.1 cannot be used (Address already in use). Choose another --port.\n"
        )


def test_a_folder_that_cannot_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert "Choose another --data" in failing("--data", str(tmp_path / "file"))
