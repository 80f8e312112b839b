"""An environment with the requirements of one function's bundle, and without anything else that is installed here.

It is a folder of links to the files of exactly the distributions, and versions, that `requirements.txt` names; Python
starts without its own site-packages. Nothing is downloaded, and compiled modules are used as they are.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import Distribution, distribution
from pathlib import Path

import httpx
from packaging.requirements import Requirement

from infra.bundle import stage
from local.ports import HOST, reserve_port

#: neither site-packages nor the current folder: only the standard library and PYTHONPATH
PYTHON = (sys.executable, "-S", "-P")


class Alone:
    """One function's bundle and its environment."""

    def __init__(self, function: str, folder: Path, settings: Mapping[str, str]) -> None:
        """Lay out both in a folder."""
        self.bundle = stage(function, folder / "bundle")
        installed = folder / "installed"
        for found in _distributions((self.bundle / "requirements.txt").read_text()):
            _link(found, installed)
        #: the settings of the functions, and the path where Python finds the distributions
        self.env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(installed), **settings}

    @contextmanager
    def served(self, function: str, said: Path) -> Iterator[str]:
        """Serve the bundle through functions-framework and give the address; its output goes into a file."""
        port = reserve_port()
        where = ("--host", HOST, "--port", str(port.number))
        command = [*PYTHON, "-m", "functions_framework", "--target", function, *where]
        try:
            with said.open("wb") as out:
                server = subprocess.Popen(command, cwd=self.bundle, env=self.env, stdout=out, stderr=subprocess.STDOUT)
            try:
                _wait(f"http://{HOST}:{port.number}/healthz", server)
                yield f"http://{HOST}:{port.number}"
            finally:
                server.terminate()
                server.wait(timeout=30)
        finally:
            port.release()

    @property
    def modules(self) -> list[str]:
        """The dotted names of every module that the bundle holds."""
        files = (file.relative_to(self.bundle).with_suffix("") for file in self.bundle.rglob("*.py"))
        return sorted(".".join(file.parts).removesuffix(".__init__") for file in files)


def _wait(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until a server listens; the time-out of the test is the limit."""
    while server.poll() is None:
        try:
            httpx.get(url, timeout=30)
            return
        except httpx.ConnectError:
            time.sleep(0.05)
    raise AssertionError(f"the server ended with {server.returncode}")


def _distributions(requirements: str) -> Iterator[Distribution]:
    """Find the installed distributions of the requirements. Raises AssertionError for a version other than the locked
    one.
    """
    for line in requirements.splitlines():
        if not line or line.startswith((" ", "#")):
            continue
        wanted = Requirement(line.rstrip("\\ "))
        if wanted.marker is None or wanted.marker.evaluate():
            found = distribution(wanted.name)
            assert wanted.specifier.contains(found.version), f"{wanted} is locked, {found.version} is installed"
            yield found


def _link(found: Distribution, folder: Path) -> None:
    for file in found.files or ():
        if ".." in file.parts:  # programs and manual pages
            continue
        source, target = Path(str(found.locate_file(file))), folder / file
        if not target.parent.exists():
            target.parent.mkdir(parents=True)
            compiled = source.parent / "__pycache__"
            if compiled.is_dir():
                (target.parent / "__pycache__").symlink_to(compiled)
        if "__pycache__" not in file.parts:
            target.symlink_to(source)
