"""Services that exist once in a run of the tests, however many workers it has.

The first user starts the service as a process, and it ends after its last user. Locks on files show who uses it; the
kernel releases the locks of killed processes, so that nothing outlives a run.
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

#: the variable with the id of a worker's run; a process without it is a run by itself
RUN = "PYTEST_XDIST_TESTRUNUID"


@cache
def once(maker: str) -> str:
    """Run the context manager `module:function` once for all workers, with a folder, and return the address
    it yields.
    """
    name = f"lull-{os.environ.get(RUN, os.getpid())}-{maker.rpartition(':')[2]}"
    folder = Path(tempfile.gettempdir()) / name
    folder.mkdir(exist_ok=True)
    with (folder / "starting").open("w") as starting:
        fcntl.flock(starting, fcntl.LOCK_EX)
        fcntl.flock(_using(folder), fcntl.LOCK_SH)  # held until this process ends
        if not (folder / "address").exists():
            _start(maker, folder)
        return (folder / "address").read_text()


def _using(folder: Path) -> int:
    return os.open(folder / "using", os.O_CREAT | os.O_RDWR)


def _start(maker: str, folder: Path) -> None:
    ended = subprocess.run([sys.executable, "-m", "tests.once", maker, str(folder)], cwd=ROOT, check=False)
    assert ended.returncode == 0, f"{maker} did not start: {(folder / 'log').read_text()}"


def main(maker: str, place: str) -> None:
    """Return once the service runs; a detached process keeps it until its last user has ended."""
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
