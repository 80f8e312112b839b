"""The keeper's side of the stem."""

import asyncio
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from local.processes import ROOT
from local.stem import Stem, StemGone, shared_stem
from tests.forking import stem as stem_of_tests
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
        psutil.Process(lasting[1]).parents()[0].kill()
        # nobody can tell how it ended, so it does
        assert await asyncio.wait_for(stem.ended(lasting[1]), 30) == -signal.SIGKILL
        assert stem.is_gone
        with pytest.raises(StemGone):
            await stem.fork(order("platform"), output.fileno())
    wait_until(lambda: not is_alive(lasting[1]))
    stem.close()


async def test_each_keeper_has_a_stem_of_its_own_of_one_that_is_shared(tmp_path: Path) -> None:
    place = tmp_path / "stem"
    with shared_stem(place, str(ROOT), ["local.ports"]), (tmp_path / "log").open("wb") as output:
        stems = [Stem(str(ROOT), str(place)) for _ in range(2)]
        lasting = [await stem.fork(order(LASTING, "0", "--bind", "127.0.0.1"), output.fileno()) for stem in stems]
        os.kill(lasting[0], signal.SIGTERM)
        assert await stems[0].ended(lasting[0]) == -signal.SIGTERM
        again = await stems[0].fork(order(LASTING, "0", "--bind", "127.0.0.1"), output.fileno())
        stems[0].close()
        wait_until(lambda: not is_alive(again))
        assert is_alive(lasting[1])
    wait_until(lambda: not is_alive(lasting[1]))
    stems[1].close()


async def test_it_outlives_the_thread_that_started_it(tmp_path: Path) -> None:
    opened = shared_stem(tmp_path / "stem", str(ROOT), [])
    with ThreadPoolExecutor(1) as one_thread:
        one_thread.submit(opened.__enter__).result()
    try:
        stem = Stem(str(ROOT), str(tmp_path / "stem"))
        with (tmp_path / "log").open("wb") as output:
            pid = await stem.fork(order("platform"), output.fileno())
            assert await stem.ended(pid) == 0
        stem.close()
    finally:
        opened.__exit__(None, None, None)


def test_a_shared_one_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    program = f"""
import os
from pathlib import Path
from local.stem import shared_stem
opened = shared_stem(Path({str(tmp_path / "stem")!r}), {str(ROOT)!r}, [])
opened.__enter__()
print(open("/proc/self/task/%d/children" % os.getpid()).read(), flush=True)
input()
"""
    starter = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert starter.stdout
    pid = int(starter.stdout.readline())
    assert is_alive(pid)
    starter.kill()
    starter.communicate()
    wait_until(lambda: not is_alive(pid))


async def test_that_of_the_tests_has_one_thread_so_a_fork_lacks_none(tmp_path: Path) -> None:
    stem = Stem(str(ROOT), stem_of_tests())
    with (tmp_path / "log").open("wb") as output:
        pid = await stem.fork(order(LASTING, "0", "--bind", "127.0.0.1"), output.fileno())
    shared = psutil.Process(pid).parents()[1]
    assert (shared.name(), shared.num_threads()) == (psutil.Process().name(), 1)
    stem.close()
