import asyncio
import json
import os
import socket
import sys
from pathlib import Path

from local.processes import KEEPER, ROOT
from tests.local.watching import is_alive


def request(code: str, log: Path) -> bytes:
    order = {
        "argv": [sys.executable, "-c", code],
        "env": {**os.environ},
        "cwd": str(ROOT),
        "log": str(log),
        "stop_last": False,
        "is_forked": False,
    }
    return json.dumps(order).encode() + b"\n"


async def test_the_keeper_starts_reports_and_ends_with_its_socket(tmp_path: Path) -> None:
    """The test uses its protocol without `local/processes.py`."""
    ours, theirs = socket.socketpair()
    scrap = tmp_path / "scrap"
    scrap.mkdir()
    command = [sys.executable, "-c", KEEPER, str(theirs.fileno()), str(scrap)]
    keeper = await asyncio.create_subprocess_exec(*command, cwd=ROOT, pass_fds=[theirs.fileno()])
    theirs.close()
    reader, writer = await asyncio.open_connection(sock=ours)
    writer.write(request("print('done')", tmp_path / "a.log"))
    brief = json.loads(await reader.readline())["pid"]
    assert json.loads(await reader.readline()) == {"exited": brief, "code": 0}
    writer.write(request("import time; time.sleep(600)", tmp_path / "b.log"))
    lasting = json.loads(await reader.readline())["pid"]
    assert os.getpgid(lasting) == lasting
    writer.close()
    assert await keeper.wait() == 0
    assert not is_alive(lasting)
    assert not scrap.exists()
    assert (tmp_path / "a.log").read_text() == "done\n"
