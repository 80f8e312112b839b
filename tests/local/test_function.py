import subprocess
import sys
from pathlib import Path

import httpx

from local.ports import HOST, reserve_port
from local.processes import ROOT
from tests.local.watching import wait_until

SOURCE = Path(__file__).parent / "functions" / "webhook" / "main.py"


def test_a_function_is_served_and_no_page_reaches_it() -> None:
    port = reserve_port()
    url = f"http://{HOST}:{port.number}/healthz"
    argv = ["--source", str(SOURCE), "--target", "webhook", "--port", str(port.number)]
    process = subprocess.Popen([sys.executable, "-m", "local.function", *argv], cwd=ROOT, start_new_session=True)

    def is_served() -> bool:
        try:
            return httpx.get(url).is_success
        except httpx.TransportError:
            assert process.poll() is None
            return False

    try:
        wait_until(is_served, 60)
        assert httpx.get(url, headers={"Origin": "https://evil.example"}, timeout=30).status_code == 403
    finally:
        process.terminate()
        process.wait()
        port.release()
