"""The keeper's side of the stem."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from local.processes import ROOT
from local.stem import Stem, StemGone
from tests.local.watching import is_alive, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere parts are started")

#: a program of the standard library, which takes as long as its input
LASTING = "http.server"


def order(*argv: str) -> dict[str, object]:
    return {"argv": [sys.executable, "-m", *argv], "env": {"PYTHONUNBUFFERED": "1"}, "cwd": str(ROOT)}


async def test_it_tells_pids_and_ends_and_says_when_it_is_gone(tmp_path: Path) -> None:
    stem = Stem(str(ROOT))
    with (tmp_path / "log").open("wb") as output:
        brief = await stem.fork(order("platform"), output.fileno())
        assert await stem.ended(brief) == 0
        lasting = [await stem.fork(order(LASTING, "0", "--bind", "127.0.0.1"), output.fileno()) for _ in range(2)]
        os.kill(lasting[0], signal.SIGKILL)
        assert await stem.ended(lasting[0]) == -signal.SIGKILL
        assert is_alive(lasting[1])
        os.kill(stem.pid, signal.SIGKILL)
        # nobody can tell how it ended, so it does
        assert await asyncio.wait_for(stem.ended(lasting[1]), 30) == -signal.SIGKILL
        assert stem.is_gone
        with pytest.raises(StemGone):
            await stem.fork(order("platform"), output.fileno())
    wait_until(lambda: not is_alive(lasting[1]))
    stem.close()
