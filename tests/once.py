"""What a whole run has once, however many workers it has.

Whoever needs it first starts it, as a process of its own; it ends with the last one that used it. Both is told by locks
on files, which the kernel takes back from whoever is killed: nothing outlives a run.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path

from local.processes import ROOT

#: what says which run a worker belongs to; who has no workers is a run by itself
RUN = "PYTEST_XDIST_TESTRUNUID"


@cache
def once(maker: str) -> str:
    """The address of what a context manager yields, `module:function`, which is given a folder; it runs once a run."""
    name = f"lull-{os.environ.get(RUN, os.getpid())}-{maker.rpartition(':')[2]}"
    folder = Path(tempfile.gettempdir()) / name
    folder.mkdir(exist_ok=True)
    with (folder / "starting").open("w") as starting:
        fcntl.flock(starting, fcntl.LOCK_EX)
        fcntl.flock(_using(folder), fcntl.LOCK_SH)  # until this process ends
        if not (folder / "address").exists():
            _start(maker, folder)
        return (folder / "address").read_text()


def _using(folder: Path) -> int:
    return os.open(folder / "using", os.O_CREAT | os.O_RDWR)


def _start(maker: str, folder: Path) -> None:
    ended = subprocess.run([sys.executable, "-m", "tests.once", maker, str(folder)], cwd=ROOT, check=False)
    assert ended.returncode == 0, f"{maker} did not start: {(folder / 'log').read_text()}"


def main(maker: str, place: str) -> None:
    """Return once it is made; it goes on in a process of nobody's, until nobody uses it any more."""
    made, making = os.pipe()
    if os.fork():
        os.close(making)
        sys.exit(not os.read(made, 1))
    os.setsid()
    folder = Path(place)
    for number, file in enumerate((Path(os.devnull), folder / "log", folder / "log")):
        os.dup2(os.open(file, os.O_CREAT | os.O_RDWR | os.O_APPEND), number)
    module, _, function = maker.partition(":")
    with getattr(import_module(module), function)(folder) as address:
        (folder / "address").write_text(address)
        os.write(making, b"1")
        fcntl.flock(_using(folder), fcntl.LOCK_EX)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
